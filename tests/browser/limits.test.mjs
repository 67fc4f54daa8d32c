// The environment and the period that issues, logs, replays and releases are limited to, and what takes them along.

import assert from "node:assert/strict";
import { eventOf, idsOf, sendAll } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, onPage } from "./web.mjs";

let server;

const rows = (page) => page.locator("[data-issue]");
const shown = (page) => rows(page).evaluateAll((all) => all.map((row) => Number(row.dataset.issue)));
const listOf = (project) => `/projects/${project.id}/issues`;
const nav = (page) => page.getByRole("navigation", { name: "Main" });
/** What the address says, in the order of its names. */
const address = (page) => Object.fromEntries([...new URL(page.url()).searchParams].sort());
const ago = (hours) => new Date(Date.now() - hours * 3_600_000).toISOString();

before(async () => {
  server = await sharedServer();
});

test("an environment and a period limit the list, stand in the address, and go along to the logs and back", async () => {
  const project = await server.project("Environments");
  const events = [
    ...[0, 0, 0].map(() => eventOf(0, { environment: "staging" })),
    eventOf(0, { environment: "production" }),
    ...[0, 0].map(() => eventOf(1, { environment: "production", timestamp: ago(50) })),
    eventOf(2, { environment: "staging", timestamp: ago(300) }),
  ];
  await sendAll(project, events);
  await project.issuesOf(events.length);
  const [newest, older, oldest] = await idsOf(project);
  const counts = (page) => rows(page).evaluateAll((all) => all.map((row) => row.querySelector("[title*='event']").textContent));
  await onPage(server, `${listOf(project)}?sort=events`, {}, async (page) => {
    await eventually(() => shown(page), [newest, older, oldest], "by all events");
    const environment = page.getByLabel("Environment", { exact: true });
    await environment.hover();
    await environment.getByRole("option", { name: "production" }).waitFor({ state: "attached" });
    // By the keyboard: a native control finds what is typed.
    await environment.focus();
    await page.keyboard.type("production");
    await eventually(() => address(page), { environment: "production", sort: "events" }, "the address");
    await eventually(() => shown(page), [older, newest], "by events in production");
    assert.deepEqual((await counts(page)).slice(0, 2), ["2", "1"]);
    await nav(page).getByTitle("2 unresolved issues in production", { exact: true }).waitFor();
    await nav(page).getByTitle("2 issues in production", { exact: true }).waitFor();
    await page.getByLabel("Period", { exact: true }).selectOption("Last 24 hours");
    await eventually(() => shown(page), [newest], "production in the last day");
    await page.getByRole("img", { name: "1 event in production in the last 24 hours" }).waitFor();
    await page.reload();
    await eventually(() => shown(page), [newest], "after a reload");
    await page.getByLabel("Period", { exact: true }).selectOption("Last 7 days");
    await eventually(() => shown(page), [older, newest], "production in the last week");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Logs", exact: true }).click();
    await page.waitForURL(/\/logs/);
    await eventually(() => address(page), { environment: "production", range: "7d" }, "the address of the logs");
    assert.equal(await page.getByLabel("Environment", { exact: true }).inputValue(), "production");
    await nav(page).getByRole("link", { name: "Replays", exact: true }).click();
    await eventually(() => address(page), { environment: "production", period: "7d" }, "the address of the replays");
    await page.getByRole("heading", { name: "No matching replays" }).waitFor();
    assert.equal(await page.getByLabel("Period", { exact: true }).inputValue(), "7d");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Issues/ }).click();
    await eventually(() => address(page), { environment: "production", period: "7d" }, "the address of the issues");
    await nav(page).getByRole("link", { name: "Alerts", exact: true }).click();
    await page.waitForURL(/\/settings\/alerts/);
    await nav(page).getByRole("link", { name: /^Issues/ }).click();
    await page.waitForURL(/\/issues/);
    await eventually(() => address(page), { environment: "production", period: "7d" }, "the same after the alerts");
  });
});

test("on a touch screen the environments are there before the first tap", async () => {
  const project = await server.project("Touched");
  await sendAll(project, [eventOf(0, { environment: "staging" })]);
  await project.issuesOf(1);
  await onPage(server, listOf(project), { width: 390, isMobile: true, hasTouch: true }, async (page) => {
    const choices = page.getByLabel("Environment", { exact: true }).locator("option");
    await eventually(() => choices.allTextContents(), ["All environments", "staging"], "the choices");
  });
});

test("nothing within an environment and a period says so, and leads out", async () => {
  const project = await server.project("Quiet");
  await sendAll(project, [eventOf(0, { environment: "production", timestamp: ago(50) })]);
  await project.issuesOf(1);
  await onPage(server, `${listOf(project)}?environment=production&period=24h`, {}, async (page) => {
    await page.getByRole("heading", { name: "No issues in production in the last 24 hours" }).waitFor();
    await page.getByRole("button", { name: "Show all environments and times" }).click();
    await eventually(() => rows(page).count(), 1, "rows");
    assert.equal(new URL(page.url()).search, "");
  });
});

test("a view keeps its environment and period; where it has none, those that are chosen stay", async () => {
  const project = await server.project("Kept limits");
  await sendAll(project, [eventOf(0, { environment: "production" }), eventOf(1, { environment: "staging" })]);
  await project.issuesOf(2);
  const limits = { environment: "production", period: "7d" };
  await onPage(server, `${listOf(project)}?environment=production&period=7d`, {}, async (page) => {
    await eventually(() => rows(page).count(), 1, "rows");
    const views = nav(page).getByRole("group", { name: "Saved views" });
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("menuitem", { name: "Save this search…" }).click();
    await page.getByRole("dialog").getByText("is:unresolved in production in the last 7 days.").waitFor();
    await page.getByLabel("Name of the view").fill("Live");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const kept = views.getByRole("link", { name: "Live" });
    await eventually(() => kept.getAttribute("aria-current"), "page", "the view is open");
    await eventually(() => kept.innerText(), "Live\n1", "its issues are counted within its limits");
    // One without limits leaves those that are chosen.
    await views.getByRole("link", { name: "Mine" }).click();
    await eventually(() => address(page), { ...limits, query: "is:mine", status: "unresolved" }, "the given view");
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("textbox", { name: "Go to" }).fill("number");
    await page.getByText("Search issues for “number”").click();
    await eventually(() => address(page), { ...limits, query: "number" }, "the palette's search");
    await page.getByLabel("Environment", { exact: true }).selectOption("");
    await page.getByLabel("Period", { exact: true }).selectOption("");
    await eventually(() => rows(page).count(), 2, "all rows");
    await kept.click();
    await eventually(() => address(page), limits, "the view's limits");
    await eventually(() => rows(page).count(), 1, "rows of the view");
  });
});

test("while a period's issues are counted, and where that fails, the saved views stay, without counts", async () => {
  const project = await server.project("Uncounted views");
  await sendAll(project, [eventOf(0, {})]);
  await project.issuesOf(1);
  await server.post(`/api/v1/projects/${project.id}/views`, { name: "Everything", query: "" }, { expect: 201 });
  const counting = [];
  const routes = (page) => page.route(/\/views\?(.*&)?period=/, (route) => void counting.push(route));
  await onPage(server, `${listOf(project)}?status=all`, { routes, allow: [503] }, async (page) => {
    const kept = nav(page).getByRole("group", { name: "Saved views" }).getByRole("link", { name: "Everything" });
    await eventually(() => kept.innerText(), "Everything\n1", "counted without limits");
    await page.getByLabel("Period", { exact: true }).selectOption("Last 7 days");
    await eventually(() => kept.innerText(), "Everything", "the view while its issues are counted");
    await eventually(() => kept.getAttribute("aria-current"), "page", "the view is open");
    await page.reload();
    await eventually(() => kept.innerText(), "Everything", "the view after a reload");
    await eventually(() => counting.length, 2, "counted once more");
    await counting[1].fulfill({ status: 503, json: { detail: "Try again" } });
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("menuitem", { name: /^Everything/ }).waitFor();
    assert.equal(await kept.innerText(), "Everything");
    assert.equal(counting.length, 2, "the menu does not count again");
  });
});

test("columns of an environment say when it was seen, and releases have the environment and the period", async () => {
  const project = await server.project("Limited releases");
  const events = [
    eventOf(0, { environment: "production", release: "1.0.0", timestamp: ago(200) }),
    eventOf(0, { environment: "staging", release: "2.0.0" }),
    eventOf(0, { environment: "staging", release: "2.0.0", timestamp: ago(100) }),
  ];
  await sendAll(project, events);
  await project.issuesOf(events.length);
  await onPage(server, `${listOf(project)}?environment=production`, {}, async (page) => {
    await eventually(() => rows(page).locator("time").first().innerText(), "8 d ago", "the last event in production");
    await page.getByTitle("Last event in production").waitFor();
    const users = page.getByRole("columnheader", { name: /^All users ?: Users in every environment$/ });
    const isWhole = () => users.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth + 1);
    assert.equal(await isWhole(), true, "the name of the column fits");
    await page.setViewportSize({ width: 1024, height: 900 });
    assert.equal(await isWhole(), true, "the name of the column fits at 1024 pixels");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel("Sort by").getByRole("option", { name: "Sort: all users" }).waitFor({ state: "attached" });
    await page.getByLabel("Period", { exact: true }).selectOption("Last 30 days");
    await nav(page).getByRole("link", { name: "Releases" }).click();
    await page.waitForURL(/\/releases/);
    const limits = { environment: "production", period: "30d" };
    await eventually(() => address(page), limits, "the address of the releases");
    const listed = () => page.getByRole("table", { name: "Releases" }).getByRole("link").allInnerTexts();
    await eventually(listed, ["1.0.0"], "releases of the month in production");
    await page.getByTitle("Users in production at any time", { exact: true }).waitFor();
    await page.getByTitle("Regressed in every environment at any time").waitFor();
    await page.getByRole("link", { name: "1.0.0" }).click();
    await page.waitForURL(/\/releases\/1\.0\.0/);
    await page.getByText("Events, users, issues and times are those in production, at any time.").waitFor();
    await page.getByRole("heading", { name: "Events in production" }).waitFor();
    await page.getByRole("link", { name: "Compare with the release before" }).click();
    await page.getByRole("heading", { name: "Compare 1.0.0" }).waitFor();
    await eventually(() => address(page), limits, "the address of the comparison");
    await page.getByRole("combobox", { name: "with" }).click();
    await page.getByRole("option", { name: "2.0.0" }).click();
    await eventually(() => address(page), { ...limits, with: "2.0.0" }, "the address of another comparison");
    await page.getByText("Both releases are compared by what happened in production, at any time").waitFor();
    await page.getByRole("heading", { name: "Not seen in 1.0.0 in production" }).waitFor();
    await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Releases" }).click();
    await page.waitForURL(/\/releases\?/);
    await eventually(() => address(page), limits, "the address of the releases after one of them");
    await page.getByRole("heading", { name: "Events of all releases in production" }).waitFor();
    const trend = page.getByRole("slider", { name: /^Events in the last / });
    await eventually(() => trend.getAttribute("aria-label"), "Events in the last 30 days, by day", "the trend has the list's period");
    await page.getByLabel("Period of the list").selectOption("Last 24 hours");
    await eventually(() => trend.getAttribute("aria-label"), "Events in the last 24 hours, by hour", "the trend follows");
    await page.getByRole("radiogroup", { name: "Period" }).getByText("7d", { exact: true }).click();
    await eventually(async () => /7 days/.test(await trend.getAttribute("aria-label")), true, "the trend has a period of its own");
    for (const [period, words] of [["Last 30 days", "Events in the last 30 days, by day"], ["Last 24 hours", "Events in the last 24 hours, by hour"]]) {
      await page.getByLabel("Period of the list").selectOption(period);
      await eventually(() => trend.getAttribute("aria-label"), words, "the trend follows again");
    }
    await page.getByRole("heading", { name: "No release had events in production in the last 24 hours" }).waitFor();
    await page.getByLabel("Environment", { exact: true }).selectOption("staging");
    await eventually(listed, ["2.0.0"], "releases of the day in staging");
    await page.getByRole("table", { name: "Releases" }).getByTitle("1 event in staging in the last 24 hours").waitFor();
    await page.getByLabel("Environment", { exact: true }).selectOption("production");
    await nav(page).getByRole("link", { name: "Logs", exact: true }).click();
    await eventually(() => address(page), { environment: "production", range: "24h" }, "the address of the logs");
  });
});
