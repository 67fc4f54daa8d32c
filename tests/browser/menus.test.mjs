// Menus that are open, which a look at the page beneath them does not judge: whole, and with nothing that WCAG
// forbids, whatever its impact.

import assert from "node:assert/strict";
import { fill } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { assertKeeps, matrix } from "./web.mjs";

let server;
let project;
let issue;

before(async () => {
  server = await sharedServer();
  project = await server.project("Menus");
  await fill(project, 3);
  issue = (await project.issues()).issues[0].id;
});

const list = () => `/projects/${project.id}/issues`;
const issuePage = () => `${list()}/${issue}`;

const opened = (name) => (page) => page.getByRole("button", { name }).click();
const item = (name) => (page) => page.getByRole("menuitem", { name });

/** Menus: how each is opened, and what is in it then. */
const menus = [
  ["views", list, opened("Views"), item("New this week")],
  ["views-own", list, saveView, item("Forget the view Of mine")],
  ["views-save", list, startSaving, (page) => page.getByLabel("Name of the view")],
  ["assign-chosen", list, assignChosen, item("Me (Ada)")],
  ["sort", list, (page) => page.getByRole("combobox", { name: "Sort by" }).click(), (page) => page.getByRole("option", { name: "Users" })],
  ["search", list, (page) => page.getByLabel("Search issues").fill(""), (page) => page.getByRole("option", { name: /^level:/ })],
  ["assignee", issuePage, opened(/^Assignee/), (page) => page.getByRole("option", { name: /Ada/ })],
  ["assignee-none", issuePage, seekMember, (page) => page.getByText("No such member")],
  ["priority", issuePage, opened(/^Priority/), item("low")],
  ["ignore", issuePage, opened("More ways to ignore"), item("For 1 day")],
  ["more", issuePage, opened("More actions"), item("Delete…")],
];

async function startSaving(page) {
  await opened("Views")(page);
  await item("Save this search…")(page).click();
}

async function saveView(page) {
  await startSaving(page);
  await page.getByLabel("Name of the view").fill("Of mine");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await opened("Views")(page);
}

async function assignChosen(page) {
  await page.getByRole("checkbox", { name: /^Choose [A-Z0-9-]+-\d+$/ }).first().click();
  await page.getByRole("button", { name: "Assign" }).click();
}

async function seekMember(page) {
  await opened(/^Assignee/)(page);
  await page.getByLabel("Find a member").fill("nobody of this name");
}

for (const [name, path, open, shown] of menus) {
  test(`the open menu: ${name}`, async () => {
    await matrix(`menu-${name}`, server, path(), { fresh: true }, async (page) => {
      await open(page);
      await shown(page).waitFor();
      await assertKeeps(page, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], `the menu ${name}`);
    });
  });
}
