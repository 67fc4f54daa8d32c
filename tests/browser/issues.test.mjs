// The list of issues as a person searches it, by mouse and by keyboard; `issues-changes.test.mjs` changes what it has.

import assert from "node:assert/strict";
import { check, filled, listOf, loaded, rows, shown } from "./issue-list.mjs";
import { idsOf } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, holds, onPage, settled } from "./web.mjs";

let server;
let shop;

const search = (page) => page.getByLabel("Search issues");
const query = (page) => new URL(page.url()).searchParams.get("query");
const status = (page) => new URL(page.url()).searchParams.get("status");
/** The status that the control says. */
const chosenStatus = (page) => page.getByRole("radiogroup", { name: "Status" }).locator("input:checked").inputValue();
const option = (page, name) => page.getByRole("option", { name });
const showView = (page, name) => page.locator("main label").filter({ hasText: new RegExp(`^${name}$`) }).click();
const queryIs = (page, wanted) => eventually(async () => query(page), wanted, "the query in the address");
const statusIs = (page, wanted) => eventually(async () => status(page), wanted, "the status in the address");

before(async () => {
  server = await sharedServer();
  shop = await filled(server, "Shop", 12);
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
  const project = await filled(server, "Status", 3);
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

test("the rows stay until the answer to another search is there", async () => {
  await onPage(server, listOf(shop), {}, async (page) => {
    const before = await loaded(page, 12);
    let release;
    const released = new Promise((done) => {
      release = done;
    });
    await page.route(/\/issues\?.*fatal/, async (route) => {
      await released;
      await route.continue();
    });
    await search(page).fill("level:fatal");
    await page.keyboard.press("Enter");
    await queryIs(page, "level:fatal");
    const list = page.getByRole("table", { name: "Issues" });
    await eventually(() => list.getAttribute("aria-busy"), "true", "whether the list is busy");
    assert.deepEqual(await shown(page), before);
    await page.getByText("12 issues", { exact: true }).waitFor({ state: "detached" });
    // They may not be among the next ones, so none can be selected, and the focus does not go with them.
    await check(page, 11).focus();
    await page.keyboard.press("Space");
    await page.getByLabel("Select all loaded issues").focus();
    await page.keyboard.press("Space");
    await check(page, 11).focus();
    await page.keyboard.press("x");
    assert.equal(await page.getByRole("checkbox", { checked: true }).count(), 0);
    assert.equal(await page.getByText("selected").count(), 0);
    release();
    await loaded(page, 4);
    assert.equal(await list.getAttribute("aria-busy"), null);
    await page.getByText("4 issues", { exact: true }).waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.closest("[data-issue]") !== null), true, "whether the list has the focus");
  });
});

test("a status and the order stand in the address, through reload, back and forward", async () => {
  const project = await filled(server, "Address", 4);
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
    const focused = () => views.evaluate((button) => button === document.activeElement);
    await eventually(focused, true, "whether the button has the focus after saving");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Edit view The worst" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await eventually(focused, true, "whether the button has the focus after Escape");
    await page.goto(server.origin + listOf(shop));
    await settled(page);
    await views.click();
    await page.getByRole("menuitem", { name: "The worst", exact: true }).click();
    await queryIs(page, "level:fatal");
    const update = page.getByRole("menuitem", { name: "Update view The worst to this search" });
    await views.click();
    await page.getByRole("menuitem", { name: "Edit view The worst" }).waitFor();
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

test("on a phone, the row that the keyboard is at is never beneath the bar at the bottom", async () => {
  await onPage(server, listOf(shop), { width: 390 }, async (page) => {
    await loaded(page, 12);
    const bar = (await page.getByRole("navigation", { name: "Project" }).boundingBox()).y;
    for (let row = 1; row <= 12; row += 1) {
      await page.keyboard.press("j");
      await holds(page, (at) => document.activeElement?.closest("[data-index]")?.getAttribute("data-index") === String(at), row - 1);
      const ends = () => page.evaluate(() => document.activeElement.closest("[data-index]").getBoundingClientRect().bottom);
      await eventually(async () => (await ends()) <= bar + 1, true, `row ${row} ends above ${bar} px`);
    }
  });
});
