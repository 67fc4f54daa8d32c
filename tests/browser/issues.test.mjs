// The list of issues as a person works with it, by mouse and by keyboard.

import assert from "node:assert/strict";
import { fill, idsOf } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, holds, onPage, settled } from "./web.mjs";

let server;
let shop;

const levels = ["fatal", "error", "warning"];
const rows = (page) => page.locator("[data-issue]");
const shown = (page) => rows(page).evaluateAll((all) => all.map((row) => Number(row.dataset.issue)));
/** The rows, once there are so many. */
const loaded = async (page, count) => {
  await eventually(() => rows(page).count(), count, "rows");
  return shown(page);
};
const search = (page) => page.getByLabel("Search issues");
const query = (page) => new URL(page.url()).searchParams.get("query");
const status = (page) => new URL(page.url()).searchParams.get("status");
/** The status that the control says. */
const chosenStatus = (page) => page.getByRole("radiogroup", { name: "Status" }).locator("input:checked").inputValue();
const listOf = (project) => `/projects/${project.id}/issues`;
const option = (page, name) => page.getByRole("option", { name });
const showView = (page, name) => page.locator("main label").filter({ hasText: new RegExp(`^${name}$`) }).click();
const statusOf = async (project, id) => (await server.request(`/api/v1/projects/${project.id}/issues/${id}`)).status;
const queryIs = (page, wanted) => eventually(async () => query(page), wanted, "the query in the address");
const statusIs = (page, wanted) => eventually(async () => status(page), wanted, "the status in the address");
const check = (page, index) => rows(page).nth(index).getByRole("checkbox");

async function fresh(name, count) {
  const project = await server.project(name);
  await fill(project, count, (index) => ({ level: levels[index % 3], exception: { message: `broke ${index}` } }));
  return project;
}

before(async () => {
  server = await sharedServer();
  shop = await fresh("Shop", 12);
});

test("what may be typed is offered, and taken by the mouse", async () => {
  await onPage(server, listOf(shop), {}, async (page) => {
    await search(page).fill("lev");
    await option(page, /^level:/).click();
    await eventually(() => search(page).inputValue(), "level:");
    await option(page, /^level:fatal/).click();
    await queryIs(page, "level:fatal");
    await eventually(() => rows(page).count(), 4, "rows");
    await page.getByRole("button", { name: "Clear search" }).click();
    await queryIs(page, null);
    await eventually(() => rows(page).count(), 12, "rows");
  });
});

test("what may be typed is offered, and taken by the keyboard", async () => {
  await onPage(server, listOf(shop), {}, async (page) => {
    await page.keyboard.press("/");
    await holds(page, () => document.activeElement?.getAttribute("aria-label") === "Search issues");
    // The status is not in the field.
    const stands = () => search(page).evaluate(({ value, selectionStart, selectionEnd }) => [value, selectionStart, selectionEnd]);
    await eventually(stands, ["", 0, 0], "the search and its caret");
    await page.keyboard.type("is:unass");
    await option(page, /^is:unassigned/).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await queryIs(page, "is:unassigned");
    // It closes what is offered, and then leaves; pressed twice before that is drawn, it closes twice.
    const leaves = async () => {
      await page.keyboard.press("Escape");
      return search(page).evaluate((field) => field !== document.activeElement);
    };
    await eventually(leaves, true, "the search is left");
    await eventually(() => search(page).inputValue(), "is:unassigned", "the search as it was");
    // One goes on behind what there is, however often the key is pressed.
    await page.keyboard.press("/");
    await eventually(stands, ["is:unassigned ", 14, 14], "the search and its caret again");
    await page.keyboard.type("level:warn");
    await option(page, /^level:warning/).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await queryIs(page, "is:unassigned level:warning");
    await eventually(() => rows(page).count(), 4, "rows");
    await page.keyboard.type("broke");
    await page.keyboard.press("Enter");
    await queryIs(page, "is:unassigned level:warning broke");
    await eventually(() => rows(page).count(), 4, "rows");
    assert.deepEqual([status(page), await chosenStatus(page)], ["unresolved", "unresolved"]);
  });
});

test("a status stands in its own control, wherever it comes from, and a search or a given view does not lose it", async () => {
  const project = await fresh("Status", 3);
  const [first] = await idsOf(project);
  await server.request(`/api/v1/projects/${project.id}/issues`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ids: [first], status: "resolved" }),
  });
  const says = async (page, words, count) => {
    await eventually(() => chosenStatus(page), words, "the control");
    await eventually(() => rows(page).count(), count, "rows");
  };
  await onPage(server, `${listOf(project)}?query=is:resolved+broke`, {}, async (page) => {
    await says(page, "resolved", 1);
    assert.equal(await search(page).inputValue(), "broke");
    await search(page).fill("broke is:unresolved");
    await page.keyboard.press("Enter");
    await statusIs(page, "unresolved");
    await says(page, "unresolved", 2);
    await eventually(() => search(page).inputValue(), "broke", "the status has gone to its control");
    await showView(page, "All");
    await says(page, "all", 3);
    await search(page).fill("-is:resolved");
    await page.keyboard.press("Enter");
    await says(page, "all", 2);
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("menuitem", { name: "New this week" }).click();
    await says(page, "unresolved", 2);
    assert.equal(await search(page).inputValue(), "is:new");
  });
});

test("a status and the order stand in the address, through reload, back and forward", async () => {
  const project = await fresh("Address", 4);
  const [newest, ...others] = await idsOf(project);
  for (let again = 0; again < 3; again += 1) await project.send({ type: "TypeError", message: "x" }, { fingerprint: ["issue-3"] });
  await project.issuesOf(7);
  const most = others.at(-1);
  await onPage(server, listOf(project), {}, async (page) => {
    await eventually(async () => (await shown(page)).length, 4, "rows");
    await page.getByLabel("Sort by").selectOption("Sort: events");
    await page.waitForURL(/sort=events/);
    await eventually(async () => (await shown(page))[0], most, "the first row by events");
    await showView(page, "Resolved");
    await statusIs(page, "resolved");
    await page.getByText("0 issues", { exact: true }).waitFor();
    await page.goBack();
    await eventually(async () => (await shown(page))[0], most, "the first row after going back");
    assert.match(page.url(), /sort=events/);
    await page.goForward();
    await statusIs(page, "resolved");
    await page.reload();
    await settled(page);
    assert.deepEqual([await search(page).inputValue(), await chosenStatus(page)], ["", "resolved"]);
    await showView(page, "All");
    await eventually(async () => (await shown(page)).length, 4, "rows");
    assert.equal(await page.getByText("4 issues", { exact: true }).isVisible(), true);
    assert.ok((await shown(page)).includes(newest));
  });
});

test("searches are given and kept by name", async () => {
  await onPage(server, listOf(shop), {}, async (page) => {
    const views = page.getByRole("button", { name: "Views", exact: true });
    await views.click();
    await page.getByRole("menuitem", { name: "New this week" }).click();
    await queryIs(page, "is:new");
    await eventually(() => rows(page).count(), 12, "rows");
    await search(page).fill("level:fatal");
    await page.keyboard.press("Enter");
    await queryIs(page, "level:fatal");
    await views.click();
    await page.getByRole("menuitem", { name: "Save this search…" }).click();
    await page.getByLabel("Name of the view").fill("The worst");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.goto(server.origin + listOf(shop));
    await settled(page);
    await views.click();
    await page.getByRole("menuitem", { name: "The worst", exact: true }).click();
    await queryIs(page, "level:fatal");
    const update = page.getByRole("menuitem", { name: "Update view The worst to this search" });
    await views.click();
    await page.getByRole("menuitem", { name: "Rename view The worst" }).waitFor();
    assert.equal(await update.count(), 0, "the list shows what the view keeps");
    await page.keyboard.press("Escape");
    await search(page).fill("level:error");
    await page.keyboard.press("Enter");
    await queryIs(page, "level:error");
    for (const [act, kept] of [[update, "level:error"], [page.getByRole("button", { name: "Undo" }), "level:fatal"]]) {
      if (act === update) await views.click();
      await act.click();
      await views.click();
      await page.getByRole("menuitem", { name: "The worst", exact: true }).and(page.getByTitle(kept)).waitFor();
      await page.keyboard.press("Escape");
    }
    await views.click();
    await page.getByRole("menuitem", { name: "Delete view The worst" }).click();
    await page.getByText("View The worst deleted").waitFor();
    await views.click();
    await page.getByRole("menuitem", { name: "New this week" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: "The worst", exact: true }).count(), 0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Undo" }).click();
    await views.click();
    await page.getByRole("menuitem", { name: "The worst", exact: true }).click();
    await queryIs(page, "level:fatal");
  });
});

test("the keyboard moves, chooses and opens", async () => {
  await onPage(server, listOf(shop), {}, async (page) => {
    const ids = await loaded(page, 12);
    const cursor = () => page.locator("[data-cursor]").evaluateAll((all) => all.map((row) => Number(row.dataset.issue)));
    await page.keyboard.press("j");
    await eventually(cursor, [ids[0]], "the cursor");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await eventually(cursor, [ids[1]], "the cursor");
    await page.keyboard.press("x");
    await page.getByText("1 issue selected").waitFor();
    assert.equal(await check(page, 1).isChecked(), true);
    await page.keyboard.press("x");
    // Beside the filters, which stay where they are.
    const filters = page.getByRole("radiogroup", { name: "Status" });
    const place = await filters.boundingBox();
    const here = page.getByRole("group", { name: /^Change / });
    const shortId = (index) => rows(page).nth(index).getByRole("checkbox").getAttribute("aria-label").then((label) => label.replace("Select ", ""));
    await here.getByText(await shortId(1), { exact: true }).waitFor();
    await here.getByRole("button", { name: /^Resolve/ }).waitFor();
    await page.keyboard.press("Escape");
    await here.waitFor({ state: "detached" });
    assert.deepEqual(await filters.boundingBox(), place);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await here.getByText(await shortId(1), { exact: true }).waitFor();
    assert.deepEqual(await filters.boundingBox(), place);
    assert.equal(await page.getByText("12 issues", { exact: true }).isVisible(), true);
    await page.keyboard.press("o");
    await page.waitForURL(`${server.origin}${listOf(shop)}/${ids[1]}`);
    await page.getByRole("group", { name: "Actions" }).waitFor();
    await holds(page, () => document.activeElement?.id === "main");
    await page.goBack();
    // Who comes back goes on where they were.
    const focused = () => page.evaluate(() => Number(document.activeElement?.closest("[data-cursor]")?.dataset.issue));
    await eventually(focused, ids[1], "the issue that has the focus");
    await page.keyboard.press("j");
    await eventually(focused, ids[2], "the issue that has the focus");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${server.origin}${listOf(shop)}/${ids[2]}`);
  });
});

test("a change goes to the issue that has the focus, and once", async () => {
  const project = await fresh("Once", 6);
  await onPage(server, listOf(project), {}, async (page) => {
    const ids = await loaded(page, 6);
    const sent = [];
    page.on("request", (request) => request.method() === "PATCH" && sent.push(request.postDataJSON().ids));
    let late = Promise.resolve();
    await page.route("**/api/v1/projects/*/issues*", async (route) => {
      await late;
      await route.continue().catch(() => undefined);
    });
    for (const key of "jj") await page.keyboard.press(key);
    const cursor = () => page.locator("[data-cursor]").evaluateAll((all) => all.map((row) => Number(row.dataset.issue)));
    await eventually(cursor, [ids[1]], "the cursor");
    let answer = () => undefined;
    late = new Promise((done) => (answer = done));
    for (const key of "eej") await page.keyboard.press(key);
    await eventually(cursor, [ids[2]], "the cursor");
    answer();
    // The issue above leaves, and the cursor stays where the focus is.
    await eventually(() => shown(page), ids.filter((id) => id !== ids[1]), "the list");
    await eventually(cursor, [ids[2]], "the cursor");
    assert.deepEqual(sent, [[ids[1]]]);
    await page.keyboard.press("e");
    await eventually(cursor, [ids[3]], "the next issue takes the cursor");
    await eventually(async () => sent, [[ids[1]], [ids[2]]], "what was sent");
  });
});

test("the keyboard resolves, ignores, assigns, and puts back", async () => {
  const project = await fresh("Keys", 6);
  await onPage(server, listOf(project), {}, async (page) => {
    const ids = await loaded(page, 6);
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await page.getByText("1 issue resolved").waitFor();
    await eventually(() => statusOf(project, ids[0]), "resolved", "the first issue");
    await eventually(() => shown(page), ids.slice(1), "the rows that are left");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 issues selected").waitFor();
    const chosen = await page.locator("[data-chosen]").evaluateAll((all) => all.map((row) => Number(row.dataset.issue)));
    await page.keyboard.press("i");
    await page.getByRole("menuitem", { name: "For 1 week" }).waitFor();
    await holds(page, () => ["menuitem", "menu"].includes(document.activeElement?.getAttribute("role")));
    const named = () => page.evaluate(() => document.activeElement?.textContent);
    for (let step = 0; step < 10 && (await named()) !== "For 1 week"; step += 1) {
      await page.keyboard.press("ArrowDown");
    }
    assert.equal(await named(), "For 1 week");
    await page.keyboard.press("Enter");
    await page.getByText("2 issues ignored for 1 week").waitFor();
    for (const id of chosen) await eventually(() => statusOf(project, id), "ignored", "a chosen issue");
    await eventually(async () => (await shown(page)).length, 3, "rows");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    const [at] = await page.locator("[data-cursor]").evaluateAll((all) => all.map((row) => Number(row.dataset.issue)));
    await page.keyboard.press("a");
    await page.getByRole("menuitem", { name: "Ada (me)" }).waitFor();
    await holds(page, () => document.activeElement?.getAttribute("role") === "menuitem" || document.activeElement?.getAttribute("role") === "menu");
    if ((await page.evaluate(() => document.activeElement?.getAttribute("role"))) === "menu") await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText("1 issue assigned to Ada").waitFor();
    assert.equal((await server.request(`/api/v1/projects/${project.id}/issues/${at}`)).assignee.email, "ada@example.com");
    await page.getByRole("img", { name: "Assigned to Ada" }).waitFor();
  });
});

test("a click with Shift chooses all between, and a menu changes them together", async () => {
  const project = await fresh("Ranges", 8);
  await onPage(server, listOf(project), {}, async (page) => {
    const ids = await loaded(page, 8);
    await check(page, 1).click();
    await check(page, 4).click({ modifiers: ["Shift"] });
    await page.getByText("4 issues selected").waitFor();
    await check(page, 3).click();
    await page.getByText("3 issues selected").waitFor();
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await page.getByText("3 issues resolved").waitFor();
    assert.deepEqual((await idsOf(project, "is:resolved")).sort(), [ids[1], ids[2], ids[4]].sort());
    await eventually(() => shown(page), ids.filter((_, at) => ![1, 2, 4].includes(at)), "the rows that are left");
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually(() => shown(page), ids, "the rows, put back");
    assert.deepEqual(await idsOf(project, "is:resolved"), []);
  });
});

test("all that match can be chosen, beyond those that are loaded", async () => {
  const project = await fresh("Many", 130);
  await onPage(server, listOf(project), {}, async (page) => {
    await page.getByRole("checkbox", { name: "Select all loaded issues" }).click();
    await page.getByText(/^\d+ issues selected$/).waitFor();
    await page.getByRole("button", { name: "Select all 130 issues" }).click();
    await page.getByText("130 issues selected").waitFor();
    await page.getByRole("button", { name: "Assign" }).click();
    await page.getByRole("menuitem", { name: "Ada (me)" }).click();
    await page.getByText("130 issues assigned to Ada").waitFor();
    assert.equal((await idsOf(project, "is:mine")).length, 130);
    await page.getByRole("button", { name: "Resolve", exact: true }).or(page.getByRole("checkbox", { name: "Select all loaded issues" })).first().waitFor();
  });
});

test("a change that is refused says so, and nothing looks changed", async () => {
  await onPage(server, listOf(shop), { allow: [503] }, async (page) => {
    const ids = await shown(page);
    await page.route(/\/issues$/, (route) => (route.request().method() === "PATCH" ? route.fulfill({ status: 503, json: { detail: "the disk is full" } }) : route.continue()));
    await check(page, 0).click();
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await page.getByText("the disk is full").waitFor();
    assert.deepEqual(await shown(page), ids);
    await page.getByText("1 issue selected").waitFor();
  });
});

test("the search and what stands beside it have one line, also where there is less room", async () => {
  await onPage(server, listOf(shop), { width: 1024 }, async (page) => {
    await loaded(page, 12);
    const controls = [page.getByRole("button", { name: "Views", exact: true }), search(page), ...["Environment", "Period", "Sort by"].map((name) => page.getByLabel(name, { exact: true }))];
    const middles = async () => Promise.all(controls.map(async (each) => {
      const { y, height } = await each.boundingBox();
      return Math.round(y + height / 2);
    }));
    const inLine = async () => Math.max(...(await middles())) - Math.min(...(await middles())) <= 4;
    await eventually(inLine, true, "one line beside the folded navigation");
    await page.getByRole("button", { name: "Unfold the navigation" }).click();
    await eventually(inLine, true, "one line beside the whole navigation");
  });
});

/** Runs in the page: what can be pressed and is smaller than so many pixels; lines of text lie in rows that lead on. */
function smaller(least) {
  const pressed = [...document.querySelectorAll("button, a[href], label.mantine-SegmentedControl-label, [role=menuitem]")];
  return pressed
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && getComputedStyle(each, "::after").position !== "absolute")
    .map((each) => ({ name: each.getAttribute("aria-label") ?? each.textContent, box: each.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 2 && (box.height < least || box.width < least))
    .map(({ name, box }) => `${name}: ${box.width} x ${box.height}`);
}

test("on a phone, thumbs find what they press, and what is selected has its buttons in sight", async () => {
  await onPage(server, listOf(shop), { width: 390 }, async (page) => {
    await loaded(page, 12);
    assert.deepEqual(await page.evaluate(smaller, 24), []);
    await check(page, 1).check();
    const ignore = page.getByRole("button", { name: "Ignore" });
    for (const button of [page.getByRole("button", { name: "Resolve" }), ignore, page.getByRole("button", { name: "Clear", exact: true })]) {
      const { x, width, height } = await button.boundingBox();
      assert.ok(x >= 0 && x + width <= 390 && height >= 44, `${x} + ${width} by ${height}`);
    }
    for (const word of ["Resolve", "Ignore"])
      assert.ok((await page.getByText(word, { exact: true }).boundingBox()).width > 24, `${word} is read`);
    await ignore.click();
    // In the content's landmark, where screen readers find it.
    await page.locator("main").getByRole("menuitem", { name: "For 1 week" }).waitFor();
    assert.deepEqual(await page.evaluate(smaller, 24), []);
  });
});
