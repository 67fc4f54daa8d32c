// Menus that are open, which a look at the page beneath them does not judge: whole, and with nothing that WCAG
// forbids, whatever its impact.

import assert from "node:assert/strict";
import { fill } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { axe, holds, onPage, picture } from "./web.mjs";

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
  ["assignee-none", issuePage, seekMember, (page) => page.getByText("No member found")],
  ["priority", issuePage, opened(/^Priority/), item("Low")],
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
  await page.getByRole("checkbox", { name: /^Select [A-Z0-9-]+-\d+$/ }).first().click();
  await page.getByRole("button", { name: "Assign" }).click();
}

async function seekMember(page) {
  await opened(/^Assignee/)(page);
  await page.getByLabel("Search members").fill("nobody of this name");
}

/** Nothing on the page, as it is, breaks a rule of WCAG that axe knows, whatever its impact. */
async function assertKeepsWcag(page, what) {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  await page.evaluate(axe);
  const broken = await page.evaluate(async (values) => {
    const { violations } = await window.axe.run({ resultTypes: ["violations"], runOnly: { type: "tag", values } });
    return violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 5).map(({ html, failureSummary }) => `${html.slice(0, 300)}\n${failureSummary}`)]);
  }, tags);
  assert.deepEqual(broken, [], `${what}: nothing that WCAG forbids`);
}

for (const [name, path, open, shown] of menus) {
  test(`the open menu: ${name}`, async () => {
    await onPage(server, path(), {}, async (page) => {
      await open(page);
      await shown(page).waitFor();
      for (const scheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
        await holds(page, (wanted) => document.documentElement.dataset.mantineColorScheme === wanted, scheme);
        await assertKeepsWcag(page, `the menu ${name}, ${scheme}`);
        await picture(page, `menu-${name}-1440-${scheme}`);
      }
    });
  });
}

for (const [name, path, open, shown] of menus.filter(([name]) => ["views-own", "assignee"].includes(name))) {
  test(`the open menu on a narrow screen: ${name}`, async () => {
    await onPage(server, path(), { width: 390 }, async (page) => {
      await open(page);
      await shown(page).waitFor();
      await assertKeepsWcag(page, `the menu ${name} on a narrow screen`);
      await picture(page, `menu-${name}-390-light`);
    });
  });
}
