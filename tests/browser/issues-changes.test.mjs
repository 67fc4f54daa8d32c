// Issues of the list are moved through, chosen, opened and changed, by mouse and by keyboard.

import assert from "node:assert/strict";
import { check, filled, listOf, loaded, rows, shown } from "./issue-list.mjs";
import { idsOf } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, holds, onPage } from "./web.mjs";

let server;
let shop;

const statusOf = async (project, id) => (await server.request(`/api/v1/projects/${project.id}/issues/${id}`)).status;
const fresh = (name, count) => filled(server, name, count);

before(async () => {
  server = await sharedServer();
  shop = await fresh("Shop", 12);
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

test("the page stays where it is as the focus goes to what is selected, and back to the list", async () => {
  await onPage(server, listOf(shop), { height: 400 }, async (page) => {
    await loaded(page, 12);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    const clear = page.getByRole("button", { name: "Clear", exact: true });
    await clear.waitFor();
    await page.evaluate(() => scrollTo({ top: 300, behavior: "instant" }));
    const scrolled = () => page.evaluate(() => scrollY);
    await eventually(scrolled, 300, "the place");
    await clear.focus();
    await page.keyboard.press("Enter");
    await clear.waitFor({ state: "detached" });
    await holds(page, () => document.activeElement?.closest("[data-issue]") !== null);
    assert.equal(await scrolled(), 300);
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

test("a condition to ignore by is asked for, and the focus comes back to the list", async () => {
  const project = await fresh("Asked", 4);
  await onPage(server, listOf(project), {}, async (page) => {
    await check(page, 0).click();
    const ask = async () => {
      await page.getByRole("button", { name: "Ignore" }).click();
      await page.getByRole("menuitem", { name: "Until more events" }).click();
      await page.getByRole("dialog", { name: "Ignore until more events" }).waitFor();
    };
    const isInList = () => page.evaluate(() => document.activeElement?.closest("[data-issue]") !== null && document.activeElement !== document.body);
    await ask();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await eventually(isInList, true, "the focus, after Escape");
    await ask();
    const events = page.getByRole("dialog").getByRole("spinbutton").or(page.getByRole("dialog").getByRole("textbox")).first();
    const answer = page.getByRole("dialog").getByRole("button", { name: "Ignore" });
    await events.fill("0");
    await answer.click();
    await page.getByRole("dialog").getByText("Enter a whole number from 1 to 1,000,000.").waitFor();
    assert.equal(await events.inputValue(), "0", "what was typed stays");
    await events.fill("5");
    await answer.click();
    await page.getByText("1 issue ignored").first().waitFor();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await eventually(isInList, true, "the focus, after the change");
    assert.equal((await idsOf(project, "is:ignored")).length, 1);
  });
});
