// What the navigation holds besides pages: saved views, the one area of settings, and the checklist of a new project.

import assert from "node:assert/strict";
import { fill } from "./seed.mjs";
import { Server } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, matrix, onPage, pictures, settled } from "./web.mjs";

let server;
let shop;

const path = (page) => new URL(page.url()).pathname;
const atPath = (page, wanted) => eventually(async () => path(page), wanted, "the address");
const nav = (page) => page.getByRole("navigation", { name: "Main" });
const views = (page) => nav(page).getByRole("group", { name: "Saved views" });
const sections = (page) => page.getByRole("navigation", { name: "Settings" });
const current = (place) => place.locator('[aria-current="page"]').allInnerTexts();

before(async () => {
  server = await Server.start();
  shop = await server.project("Shop");
  await fill(shop, 2);
});
after(() => server?.stop());

async function saveView(page, query, name) {
  await page.getByLabel("Search issues").fill(query);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("query") === query);
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("menuitem", { name: "Save this search…" }).click();
  await page.getByLabel("Name of the view").fill(name);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

test("saved views stand under the issues: a handful, the open one marked, and all of them on demand", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    const given = ["Mine", "Escalating", "Regressed", "New this week"];
    const counted = [...given.slice(0, 3), "New this week\n2"];
    await eventually(() => views(page).getByRole("link").allInnerTexts(), counted, "the given views, counted");
    assert.deepEqual(await current(nav(page)), ["Issues\n2"]);
    await views(page).getByRole("link", { name: "New this week" }).click();
    await page.waitForURL((url) => url.searchParams.get("query") === "is:new");
    await eventually(() => current(nav(page)), ["New this week\n2"], "what is marked");
    await eventually(() => page.getByLabel("Search issues").inputValue(), "is:new", "what the list shows");

    await saveView(page, "level:fatal", "Worst");
    await saveView(page, "level:warning", "Warnings");
    await eventually(() => views(page).getByRole("link").allInnerTexts(), ["Warnings", "Worst", ...given.slice(0, 2)], "the handful");
    await eventually(() => current(nav(page)), ["Warnings"], "what is marked");
    await views(page).getByRole("button", { name: "All views" }).click();
    await views(page).getByRole("link", { name: "New this week" }).click();
    await views(page).getByRole("button", { name: "Fewer views" }).click();
    await eventually(() => current(nav(page)), ["New this week\n2"], "the open one, though it is the last");
    await nav(page).getByRole("link", { name: "Issues" }).click();
    await eventually(() => views(page).getByRole("link").count(), 4);
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("menuitem", { name: "Edit view Worst" }).click();
    await page.getByLabel("Name of the view").fill("The worst");
    await page.getByLabel("Share it with everybody in this project").check();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await eventually(async () => (await views(page).getByRole("link").allInnerTexts())[1], "The worst", "the new name");
    await saveView(page, "is:unassigned", "Open");
    await eventually(async () => (await views(page).getByRole("link").allInnerTexts())[0], "Open\n2", "the count");
    await pictures(page, "views", [{ width: 1440, scheme: "light" }, { width: 1440, scheme: "dark" }]);
  });
});

test("the menu of views cuts a long name before what can be done to the view", async () => {
  const project = await server.project("Long names");
  const view = { name: "All that customers of the new shop in Berlin ran into this week", query: "cart", shared: true };
  await server.post(`/api/v1/projects/${project.id}/views`, view, { expect: 201 });
  for (const width of [1440, 390]) {
    await onPage(server, `/projects/${project.id}/issues?query=basket`, { width }, async (page) => {
      await page.getByRole("button", { name: "Views", exact: true }).click();
      const { x, width: room } = await page.getByRole("menu").boundingBox();
      for (const what of ["Update", "Edit", "Delete"]) {
        const box = await page.getByRole("menuitem", { name: new RegExp(`^${what} view All that`) }).boundingBox();
        assert.ok(box.x + box.width <= x + room, `${what} at ${width} px`);
      }
      const name = page.getByRole("menuitem", { name: /^Shared: All that/ });
      const cut = await name.locator("bdi").evaluate((words) => words.scrollWidth > words.clientWidth && words.clientWidth > 0);
      assert.ok(cut, `cut at ${width} px`);
    });
  }
});

test("views that this browser kept are saved to the server once, in their order", async () => {
  const project = await server.project("Kept");
  await fill(project, 1);
  await onPage(server, `/projects/${project.id}/issues`, {}, async (page) => {
    const kept = [{ name: "Newest", query: "is:ignored" }, { name: "Oldest", query: "is:new" }];
    const key = `mayday.views.${project.id}`;
    await page.evaluate(([name, value]) => localStorage.setItem(name, value), [key, JSON.stringify(kept)]);
    await page.reload();
    await settled(page);
    const open = () => page.getByRole("button", { name: "Views", exact: true }).click();
    const offer = (count) => page.getByRole("menuitem", { name: `Save ${count} of this browser to the server` });
    await open();
    await page.getByRole("menuitem", { name: "Discard them" }).click();
    await page.getByText("2 views discarded").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await open();
    await offer("2 views").click();
    await page.getByText("2 views saved to the server").waitFor();
    const first = async () => (await views(page).getByRole("link").allInnerTexts()).slice(0, 2);
    await eventually(first, ["Newest", "Oldest\n1"], "the views");
    await page.reload();
    await settled(page);
    await open();
    await page.getByRole("menuitem", { name: "Oldest" }).first().waitFor();
    assert.equal(await page.getByRole("menuitem", { name: /of this browser/ }).count(), 0);
  });
});

test("one area has all settings, of the project, the organization and the person", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    await nav(page).getByRole("link", { name: "Settings" }).click();
    await atPath(page, `/projects/${shop.id}/settings/general`);
    for (const [group, link, address] of [
      ["Organization", "Members", "/organizations/1/settings/members"],
      ["Account", "Access tokens", "/account/tokens"],
      ["Organization", "General", "/organizations/1/settings"],
      ["Project", "Keys", `/projects/${shop.id}/settings/keys`],
    ]) {
      await sections(page).getByRole("group", { name: group }).getByRole("link", { name: link, exact: true }).click();
      await atPath(page, address);
      await eventually(() => current(sections(page)), [link], "what is marked in the column");
      assert.equal(await nav(page).getByRole("link", { name: "Settings" }).getAttribute("aria-current"), "page", address);
      await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    }
    await eventually(() => page.title(), "Keys · Project settings · Mayday", "the tab's title");
    await sections(page).getByRole("link", { name: "Set up" }).click();
    await atPath(page, `/projects/${shop.id}/start`);
    await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Settings" }).click();
    await atPath(page, `/projects/${shop.id}/settings/general`);
  });
});

test("on a narrow screen the sections of the settings are behind a button that names the open one", async () => {
  await onPage(server, `/projects/${shop.id}/settings/keys`, { width: 390 }, async (page) => {
    const button = sections(page).getByRole("button");
    assert.equal(await sections(page).getByRole("link").count(), 0);
    assert.equal(await button.innerText(), "Project: Keys");
    await button.click();
    await pictures(page, "settings-sections", [{ width: 390, scheme: "light" }, { width: 390, scheme: "dark" }]);
    await sections(page).getByRole("link", { name: "Devices" }).click();
    await atPath(page, "/account/sessions");
    await eventually(() => button.innerText(), "Account: Devices", "the open section");
    assert.equal(await sections(page).getByRole("link").count(), 0, "the list is folded again");
  });
});

test("alerts are a section of the project, and no setting of it", async () => {
  await matrix("alerts", server, `/projects/${shop.id}/issues`, {}, async (page) => {
    await page.goto(`${server.origin}/projects/${shop.id}/settings/alerts`);
    await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();
    await page.getByRole("button", { name: "New channel…" }).waitFor();
    assert.equal(await sections(page).count(), 0);
  });
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    await nav(page).getByRole("link", { name: "Alerts" }).click();
    await atPath(page, `/projects/${shop.id}/settings/alerts`);
    await eventually(() => current(nav(page)), ["Alerts"], "what is marked");
  });
});

test("a phone's bar leads to the issues, the logs and the inbox", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, { width: 390 }, async (page) => {
    const bar = page.getByRole("navigation", { name: "Project", exact: true });
    assert.deepEqual(await bar.getByRole("link").or(bar.getByRole("button")).allInnerTexts(), ["Issues", "Logs", "Inbox", "More"]);
    await bar.getByRole("link", { name: "Inbox" }).click();
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    await eventually(() => current(bar), ["Inbox"], "what is marked");
    await bar.getByRole("link", { name: "Logs" }).click();
    await atPath(page, `/projects/${shop.id}/logs`);
  });
});

/** The steps of the checklist with their states. */
const steps = async (page) =>
  (await nav(page).getByRole("region", { name: "Set up" }).getByRole("link").allTextContents()).map((text) => text.trim());

test("the checklist of a project sees what is done, step by step, and goes when nothing is left", async () => {
  const project = await server.project("New");
  const states = ["Create a key: done", "Receive an event: to do", "Upload source maps: to do", "Invite your team: to do", "Connect an agent (MCP)"];
  await onPage(server, `/projects/${project.id}/issues`, { height: 1000 }, async (page) => {
    const turns = async (at) => {
      states[at] = states[at].replace("to do", "done");
      await eventually(() => steps(page), states, "the steps");
    };
    await eventually(() => steps(page), states, "the steps");
    await nav(page).getByRole("link", { name: "Upload source maps" }).click();
    await atPath(page, `/projects/${project.id}/start`);
    assert.equal(new URL(page.url()).hash, "#maps");

    await project.sendAndRead({ type: "E", message: "the first" });
    await turns(1);
    const map = JSON.stringify({ version: 3, sources: ["a.ts"], names: [], mappings: "AAAA" });
    await project.release("1.0.0", "~/", [{ url: "~/a.js", map }]);
    await page.reload();
    await turns(2);
    await nav(page).getByRole("link", { name: "Invite your team" }).click();
    await atPath(page, "/organizations/1/settings/members");
    await server.post("/api/v1/organizations/1/invitations", { email: "grace@example.com", role: "member" }, { expect: 201 });
    await page.reload();
    await settled(page);
    await nav(page).getByRole("link", { name: "Issues" }).waitFor();
    await eventually(() => nav(page).getByRole("region", { name: "Set up" }).count(), 0, "nothing is left to do");
  });
});

test("in a low window the checklist is one line that leads to its steps", async () => {
  const project = await server.project("Low");
  await onPage(server, `/projects/${project.id}/issues`, { height: 1000 }, async (page) => {
    const card = nav(page).getByRole("region", { name: "Set up" });
    await eventually(() => card.getByRole("listitem").count(), 5, "steps");
    await page.setViewportSize({ width: 1440, height: 900 });
    await eventually(() => card.getByRole("listitem").count(), 0, "steps in a low window");
    await card.getByText(/^\d of 4/).waitFor();
    assert.ok((await card.boundingBox()).height < 50);
    const cut = () => nav(page).evaluate((each) => each.scrollHeight - each.clientHeight);
    await eventually(cut, 0, "what is cut at 900 px");
    await page.setViewportSize({ width: 1440, height: 768 });
    await eventually(cut, 0, "what is cut at 768 px");
    for (const part of [card.getByRole("link", { name: "Set up" }), card.getByRole("button", { name: "Hide the checklist" })]) {
      const { width, height } = await part.boundingBox();
      assert.ok(width >= 24 && height >= 24, `${width} × ${height} px`);
    }
    await card.getByRole("link", { name: "Set up" }).click();
    await atPath(page, `/projects/${project.id}/start`);
  });
});

test("who hides the checklist can have it back, project by project", async () => {
  const [one, other] = [await server.project("One"), await server.project("Other")];
  await onPage(server, `/projects/${one.id}/issues`, {}, async (page) => {
    const card = nav(page).getByRole("region", { name: "Set up" });
    await card.getByRole("button", { name: "Hide the checklist" }).click();
    await card.waitFor({ state: "detached" });
    await page.goto(`${server.origin}/projects/${other.id}/issues`);
    await card.waitFor();
    await page.goto(`${server.origin}/projects/${one.id}/start`);
    await page.getByRole("button", { name: "Show the checklist" }).click();
    await card.waitFor();
  });
});
