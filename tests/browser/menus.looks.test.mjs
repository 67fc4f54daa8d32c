// Menus of the shell and of issues that are open; `dialogs.looks.test.mjs` has the rest.

import { fill } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { judge } from "./wcag.mjs";
import { onPage } from "./web.mjs";

let server;
let project;
let issue;
let organization;

before(async () => {
  server = await sharedServer();
  project = await server.project("Menus");
  await fill(project, 3);
  organization = (await server.request("/api/v1/organizations"))[0].id;
  issue = (await project.issues()).issues[0].id;
});

const list = () => `/projects/${project.id}/issues`;
const audit = () => `/organizations/${organization}/settings/audit`;
const issuePage = () => `${list()}/${issue}`;

const opened = (name) => (page) => page.getByRole("button", { name, exact: typeof name === "string" }).click();
const item = (name) => (page) => page.getByRole("menuitem", { name });

/**
 * Menus: how each is opened, what is in it then, and how wide it is looked at where not at both widths: what hangs on
 * the navigation is opened from elsewhere on a narrow screen (`drawers` in `dialogs.looks.test.mjs`).
 */
const menus = [
  ["views", list, opened("Views"), item("New this week")],
  ["views-own", list, saving("Of mine"), item("Delete view Of mine")],
  ["views-edit", list, editView, (page) => page.getByRole("dialog", { name: "Edit view" })],
  ["views-save", list, startSaving, (page) => page.getByLabel("Name of the view")],
  ["assign-chosen", list, withChosen("Assign"), item("Ada (me)")],
  ["ignore-chosen", list, withChosen("Ignore"), item("Until more events…")],
  ["priority-chosen", list, withChosen("Priority"), item("Low")],
  ["search", list, (page) => page.getByLabel("Search issues").fill(""), (page) => page.getByRole("option", { name: /^level:/ })],
  ["assignee", issuePage, opened(/^Assignee/), (page) => page.getByRole("option", { name: /Ada/ })],
  ["assignee-none", issuePage, seekMember, (page) => page.getByText("No member found")],
  ["priority", issuePage, opened(/^Priority/), item("Low")],
  ["ignore", issuePage, opened("More ways to ignore"), item("For 1 day")],
  ["resolve", issuePage, opened("More ways to resolve"), item("In the next release")],
  ["resolve-version", issuePage, inVersion, (page) => page.getByRole("combobox", { name: "Version" })],
  ["ignore-until", issuePage, ignoring("Until a date and time…"), (page) => page.getByRole("textbox", { name: "Date and time" })],
  ["ignore-events", issuePage, ignoring("Until more events…"), (page) => page.getByLabel("Additional events before it reopens")],
  ["ignore-users", issuePage, ignoring("Until more users…"), (page) => page.getByLabel("Additional users before it reopens")],
  ["delete-issue", issuePage, deleting, (page) => page.getByRole("dialog", { name: "Delete issue?" })],
  ["project", list, opened(/^Project:/), item("New project"), [1440]],
  ["person", list, opened(/^You:/), item("Sign out"), [1440]],
  ["help", list, (page) => page.keyboard.press("?"), (page) => page.getByRole("dialog", { name: "Keyboard shortcuts" })],
  ["palette", list, (page) => page.keyboard.press("Control+k"), (page) => page.getByRole("textbox", { name: "Go to" })],
  ["audit-action", audit, (page) => page.getByRole("combobox", { name: "Action" }).click(), (page) => page.getByRole("option").first()],
  ["more", issuePage, opened("More actions"), item("Delete…")],
];

async function startSaving(page) {
  await opened("Views")(page);
  await item("Save this search…")(page).click();
}

function saving(name) {
  return async (page) => {
    await startSaving(page);
    await page.getByLabel("Name of the view").fill(name);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await opened("Views")(page);
  };
}

async function editView(page) {
  await saving("To edit")(page);
  await item("Edit view To edit")(page).click();
}

async function inVersion(page) {
  await opened("More ways to resolve")(page);
  await item("In a specific version…")(page).click();
}

function ignoring(how) {
  return async (page) => {
    await opened("More ways to ignore")(page);
    await item(how)(page).click();
  };
}

async function deleting(page) {
  await opened("More actions")(page);
  await item("Delete…")(page).click();
}

function withChosen(does) {
  return async (page) => {
    await page.getByRole("checkbox", { name: /^Select [A-Z0-9-]+-\d+$/ }).first().click();
    await page.getByRole("button", { name: does, exact: true }).click();
  };
}

async function seekMember(page) {
  await opened(/^Assignee/)(page);
  await page.getByLabel("Search members").fill("nobody of this name");
}

for (const [name, path, open, shown, widths = [1440, 390]] of menus) {
  test(`the open menu: ${name}`, async () => {
    await onPage(server, path(), {}, async (page) => {
      await open(page);
      await shown(page).waitFor();
      await judge(page, `menu-${name}`, widths);
    });
  });
}
