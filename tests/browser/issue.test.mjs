// The issue page as a person works with it.

import assert from "node:assert/strict";
import { sharedServer } from "./server.mjs";
import { Build, marked, places, priceError } from "./shop.mjs";
import { before, test } from "./suite.mjs";
import { eventually, newContext, onPage, openPage } from "./web.mjs";

const build = new Build("node-a");
const place = marked(places.price.file, places.price.marker);
let server;
let error;

const button = (page, name) => page.getByRole("button", { name, exact: true });
const actions = (page) => page.getByRole("group", { name: "Actions" });
const header = (page) => page.locator("main header");
const eventOf = (page) => new URL(page.url()).searchParams.get("event");
/** Waits until the page shows the event of a user; the address has its id. */
const shows = (page, number) => page.getByRole("group", { name: "Event shown" }).getByText(`user-${number}`, { exact: true }).waitFor();

before(async () => {
  server = await sharedServer();
  error = await priceError(build);
});

/** A project with one issue of so many events, `event-1` the oldest. */
async function issueWith(name, events) {
  const project = await server.project(name);
  await project.release("1.0.0", build.nodePrefix, build.maps(build.nodePrefix));
  for (let number = 1; number <= events; number += 1) await send(project, number);
  const [issue] = (await project.issuesOf(events)).issues;
  return { project, issue, path: `/projects/${project.id}/issues/${issue.id}` };
}

const send = (project, number) =>
  project.sendAndRead(error, {
    event_id: `event-${number}`,
    release: "1.0.0",
    tags: { number: String(number) },
    user: { id: `user-${number}` },
  });

test("the stack is read at its source, as it was sent, and as the engine wrote it", async () => {
  const { path } = await issueWith("Stack", 1);
  await onPage(server, path, {}, async (page) => {
    const source = page.getByRole("group", { name: `Source of ${place.file}:${place.line}` }).first();
    await source.waitFor();
    assert.ok((await source.locator("[data-thrown]").innerText()).includes(place.text.trim()));
    const mark = await source.locator("[data-thrown] mark").innerText();
    assert.ok(place.text.includes(mark) && mark !== "", `the column is marked: ${mark}`);
    const head = page.locator("main button[aria-expanded=true]").filter({ hasText: place.file }).first();
    await head.click();
    await source.waitFor({ state: "detached" });
    await page.keyboard.press("m");
    await page.getByText(/shop\.mjs/).first().waitFor();
    assert.equal(await page.getByText(`${place.file}:${place.line}`).count(), 0);
    await page.locator("label").filter({ hasText: /^Raw$/ }).click();
    assert.equal((await page.getByRole("group", { name: "Stack as sent" }).innerText()).trim(), error.stack.trim());
  });
});

test("going back to an issue comes back to its place on the page", async () => {
  const { path } = await issueWith("Left", 2);
  await onPage(server, path, {}, async (page) => {
    await shows(page, 2);
    const scrolled = () => page.evaluate(() => (window.scrollTo(0, 300), window.scrollY));
    await eventually(scrolled, 300, "where it is read");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Releases" }).click();
    await page.getByRole("heading", { name: "Releases", level: 1 }).waitFor();
    await eventually(() => page.evaluate(() => window.scrollY), 0, "the top of another page");
    await page.goBack();
    await shows(page, 2);
    await eventually(() => page.evaluate(() => window.scrollY), 300, "where it was read");
  });
});

test("going back to an issue finds open what was opened there, and another visit does not", async () => {
  const project = await server.project("Opened");
  const extra = { order: { item: { part: { id: 7 } } }, note: "n".repeat(500) };
  const event = await project.sendAndRead({ type: "Error", message: "x" }, { extra });
  const path = `/projects/${project.id}/issues/${event.issue_id}`;
  await onPage(server, path, {}, async (page) => {
    const shown = page.getByRole("region", { name: "Extra" });
    const open = () => shown.getByRole("button", { expanded: true }).evaluateAll((all) => all.map((each) => each.innerText.split(/[\s{]/)[0]));
    await shown.getByRole("button", { name: /^order/ }).click();
    await shown.getByRole("button", { name: /^item/ }).click();
    await shown.getByRole("button", { name: "Show all 500 characters" }).click();
    const opened = await open();
    assert.deepEqual(opened, ["order", "item", "Show"]);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Releases" }).click();
    await page.getByRole("heading", { name: "Releases", level: 1 }).waitFor();
    await page.goBack();
    await eventually(open, opened, "what is open");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Issues" }).click();
    await page.getByRole("table", { name: "Issues" }).getByRole("link").first().click();
    await shown.waitFor();
    assert.deepEqual(await open(), []);
  });
});

test("a frame that is not resolved says what mends it, and what cannot be mended says nothing", async () => {
  const project = await server.project("Mended");
  const at = (url) => ({ type: "Error", message: url, stack: `Error: ${url}\n    at t (${url}:1:51)` });
  const mends = async (url, release, words) => {
    const event = await project.sendAndRead(at(url), { release });
    await onPage(server, `/projects/${project.id}/issues/${event.issue_id}`, {}, async (page) => {
      await page.getByText(/^Not resolved: /).first().waitFor();
      const command = page.getByRole("group", { name: "How to fix it" });
      if (words === undefined) assert.equal(await command.count(), 0);
      else assert.equal((await command.innerText()).trim(), words);
    });
  };
  const script = "https://shop.example/assets/index-1a2b.js";
  await mends(script, "9.9", "mayday sourcemaps upload --release 9.9 dist/");
  await project.createRelease("9.8", "~/static/");
  await mends(script.replace("index", "main"), "9.8", "mayday releases delete 9.8 && mayday sourcemaps upload --release 9.8 dist/");
  await mends("index-1a2b.js", "9.8", undefined);
});

test("source is coloured to the end of each line when a slow machine sees it first", async () => {
  const { path } = await issueWith("Colours", 1);
  const context = await newContext(server);
  const slow = async (page) => {
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  };
  const opened = await openPage(server, path, { context, routes: slow });
  try {
    const lines = opened.page.locator("main [role=group] li code");
    await opened.page.waitForFunction(() => document.querySelector("main [role=group] li code span[data-kind]") !== null);
    const coloured = () => lines.evaluateAll((all) =>
      all.map((line) => ({ text: line.innerText.trim(), kinds: new Set([...line.querySelectorAll("span")].map(({ dataset }) => dataset.kind)).size })),
    );
    const telling = ({ text }) => /^(?:export |async |const |let |for |if |throw |function )/.test(text);
    await eventually(async () => (await coloured()).filter((line) => telling(line) && line.kinds < 3), [], "lines in one colour");
    const found = (await coloured()).filter(telling);
    assert.ok(found.length >= 5, `${found.length} lines of source`);
    opened.check();
  } finally {
    await context.close();
  }
});

test("the events of an issue are walked, by mouse and by key, and stand in the address", async () => {
  const { path } = await issueWith("Walk", 3);
  await onPage(server, path, {}, async (page) => {
    const walk = page.getByRole("navigation", { name: "Events of this issue" });
    await shows(page, 3);
    await walk.getByRole("link", { name: "Older event" }).click();
    await eventually(async () => eventOf(page), "event-2", "the event in the address");
    await shows(page, 2);
    await page.keyboard.press("[");
    await shows(page, 1);
    await page.keyboard.press("]");
    await eventually(async () => eventOf(page), "event-2", "the event in the address");
    await walk.getByRole("link", { name: "Oldest event" }).click();
    await shows(page, 1);
    await page.reload();
    await shows(page, 1);
    await walk.getByRole("link", { name: "Newest event" }).click();
    await shows(page, 3);
    await page.getByRole("tab", { name: /^All events/ }).click();
    assert.equal(new URL(page.url()).hash, "#events");
    // Named by time and user; the id is for machines.
    const row = page.getByRole("table").getByRole("row").filter({ hasText: "user-2" });
    assert.doesNotMatch(await row.innerText(), /event-2/);
    await row.getByRole("link").click();
    await shows(page, 2);
    assert.equal(eventOf(page), "event-2");
  });
});

test("a newer event is announced, not shown in place of the one being read", async () => {
  const { project, path } = await issueWith("Arrivals", 1);
  await onPage(server, path, {}, async (page) => {
    await shows(page, 1);
    await page.waitForFunction(() => performance.getEntriesByType("resource").length > 0);
    await send(project, 2);
    const newer = page.getByRole("link", { name: /1 newer event/ });
    await newer.waitFor();
    await eventually(async () => (await header(page).locator("dl").innerText()).replace(/\s+/g, " ").startsWith("Events 2"), true, "the count goes on");
    await shows(page, 1);
    await newer.click();
    await shows(page, 2);
  });
});

test("on a phone, the actions of an issue have two rows and the names that they have elsewhere", async () => {
  const { project, issue, path } = await issueWith("Actions of a phone", 1);
  const me = await server.request("/api/v1/me");
  await server.request(`/api/v1/projects/${project.id}/issues/${issue.id}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ assignee: me.id, priority: "medium" }),
  });
  await onPage(server, path, { width: 390 }, async (page) => {
    for (const status of ["unresolved", "ignored"]) {
      await actions(page).getByRole("button", { name: /^Assignee: Ada/ }).waitFor();
      await actions(page).getByRole("button", { name: "Priority: Medium" }).waitFor();
      for (const label of ["Assignee:", "Priority:"]) {
        const { width } = await actions(page).getByText(label).boundingBox();
        assert.ok(width > 24, `${label} is read, not only heard: ${width} px`);
      }
      const middles = await actions(page).evaluate((bar) =>
        [...bar.children].map((each) => each.getBoundingClientRect()).map(({ top, height }) => Math.round(top + height / 2)),
      );
      assert.equal(new Set(middles).size, 2, `rows of one that is ${status}: ${middles}`);
      if (status === "unresolved") await button(actions(page), "Ignore").click();
    }
  });
});

test("an issue is resolved, ignored, assigned, ranked, and what was done is told in its activity", async () => {
  const { project, issue, path } = await issueWith("Actions", 1);
  const now = () => server.request(`/api/v1/projects/${project.id}/issues/${issue.id}`);
  await onPage(server, path, {}, async (page) => {
    await button(actions(page), "Resolve").click();
    await button(actions(page), "Reopen").waitFor();
    // The page shows a change before the server has it.
    await eventually(async () => (await now()).status, "resolved", "the status");
    await button(actions(page), "Reopen").click();
    await button(actions(page), "Resolve").waitFor();
    await button(actions(page), "More ways to ignore").click();
    await page.getByRole("menuitem", { name: "For 1 day" }).click();
    await header(page).getByText(/reopens/).waitFor();
    await eventually(async () => (await now()).status, "ignored", "the status");
    await button(actions(page), "Reopen").click();
    await button(actions(page), "Ignore").waitFor();
    await actions(page).getByRole("button", { name: /^Assignee/ }).click();
    await page.getByRole("option", { name: /Ada/ }).first().click();
    await actions(page).getByRole("button", { name: /^Assignee: Ada/ }).waitFor();
    await actions(page).getByRole("button", { name: /^Priority/ }).click();
    await page.getByRole("menuitem", { name: "Low" }).click();
    await actions(page).getByRole("button", { name: "Priority: Low" }).waitFor();
    const kept = async () => {
      const { assignee, priority } = await now();
      return [assignee?.name, priority];
    };
    await eventually(kept, ["Ada", "low"], "assignee and priority");

    await page.getByRole("tab", { name: "Activity" }).click();
    const activity = page.getByRole("region", { name: "Activity" }).getByRole("listitem");
    for (const words of [/resolved/i, /ignored/i, /assigned/i, /priority/i]) await activity.filter({ hasText: words }).first().waitFor();
    await page.getByRole("textbox", { name: "Comment" }).fill("seen in the <b>log</b>\nof yesterday");
    await page.keyboard.press("Control+Enter");
    await activity.filter({ hasText: "seen in the <b>log</b>" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Comment" }).inputValue(), "");
    await page.getByRole("button", { name: "Delete the comment" }).click();
    await activity.filter({ hasText: "seen in the <b>log</b>" }).waitFor({ state: "detached" });
  });
});

/** The same error with a number that no double holds: JavaScript writes it only as text. */
async function sendExact(project, id) {
  const fields = { api_key: project.key, type: "exception", exception: error, event_id: id, release: "1.0.0", user: { id: "user-2" } };
  const body = JSON.stringify({ ...fields, extra: { order: "9007199254740993" } }).replace('"9007199254740993"', "9007199254740993");
  await server.post("/api/v1/errors", undefined, { token: null, expect: 202, body });
  await project.event(id);
}

test("the report for a person or an agent has the source in it, and a link that works; numbers are copied as they were sent", async () => {
  const { project, path } = await issueWith("Report", 1);
  const context = await newContext(server, { permissions: ["clipboard-read", "clipboard-write"] });
  const opened = await openPage(server, path, { context });
  try {
    const { page } = opened;
    await shows(page, 1);
    await Promise.all([page.getByText("Report copied").waitFor(), page.keyboard.press("c")]);
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(text, /^# REPORT-1: /);
    assert.ok(text.includes(place.text.trim()), text);
    assert.ok(text.includes(`${place.file}:${place.line}`), text);
    const link = /<(http[^>]+)>/.exec(text)[1];
    await page.goto(link);
    await shows(page, 1);
    await sendExact(project, "event-2");
    await page.goto(`${server.origin}${path}?event=event-2`);
    await shows(page, 2);
    await page.locator("section[aria-labelledby='section-extra']").getByText("9007199254740993", { exact: true }).waitFor();
    for (const name of ["Copy Extra as JSON", "Copy the event as JSON"]) {
      await button(page, name).click();
      await button(page, name).getByText("Copied").waitFor({ state: "attached" });
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /"order": 9007199254740993\b/, name);
    }
    opened.check();
  } finally {
    await context.close();
  }
});

const rows = (page) => page.getByRole("table", { name: "Events of this issue" }).getByRole("row");
const facetOf = (page) => new URL(page.url()).searchParams.get("facet");

test("a value beside the stack leads to the events that have it, and from there to the issues", async () => {
  const { project, path } = await issueWith("Tags", 3);
  await onPage(server, path, {}, async (page) => {
    await page.locator("aside li").filter({ hasText: /^2\s*1\s*33%/ }).getByRole("link").first().click();
    await eventually(async () => facetOf(page), "tag.number:2", "the filter in the address");
    assert.equal(new URL(page.url()).hash, "#events");
    const chip = page.getByRole("link", { name: "Remove the filter number: 2" });
    await chip.waitFor();
    await page.getByText("1 event", { exact: true }).waitFor();
    await eventually(async () => rows(page).count(), 2, "the head and one row");
    assert.match(await rows(page).nth(1).innerText(), /user-2/);
    await page.reload();
    await chip.waitFor();
    await eventually(async () => rows(page).count(), 2, "rows after a reload");
    // The event is read with the filter kept, and the list comes back with it.
    await rows(page).nth(1).getByRole("link").click();
    await shows(page, 2);
    await page.goBack();
    await chip.click();
    await eventually(async () => [facetOf(page), await rows(page).count()], [null, 4], "the list without the filter");
    await page.goBack();
    await page.getByRole("link", { name: "All issues with this value" }).click();
    await page.waitForURL(/issues\?query=/);
    assert.equal(new URL(page.url()).searchParams.get("query"), "tag.number:2");
    await page.locator("[data-issue]").waitFor();
    assert.equal(new URL(page.url()).pathname, `/projects/${project.id}/issues`);
  });
});

test("a value is added to the search of the list that one came from, or excluded from it", async () => {
  const { project, path } = await issueWith("Ways", 2);
  const list = new URL(`/projects/${project.id}/issues`, server.origin);
  const asks = (page) => eventually(async () => page.url().startsWith(list.href), true, "the list").then(() => Object.fromEntries(new URL(page.url()).searchParams));
  await onPage(server, `${path}?status=all&query=broke&sort=events`, {}, async (page) => {
    const row = page.locator("aside li").filter({ hasText: /^2\s*1\s*50%/ });
    const way = row.getByRole("link", { name: "Issues without number 2" });
    // It comes with the pointer, and lies over no figure.
    const opacity = () => way.evaluate((element) => getComputedStyle(element.parentElement).opacity);
    assert.equal(await opacity(), "0");
    await row.hover();
    assert.equal(await opacity(), "1");
    const [right, figures] = [await way.evaluate((each) => each.getBoundingClientRect().right), await row.getByText("50%").locator("..").boundingBox()];
    assert.ok(right <= figures.x + 1, `${right} reaches ${figures.x}`);
    await way.click();
    assert.deepEqual(await asks(page), { status: "all", query: "broke -tag.number:2", sort: "events" });
    await page.goBack();
    await page.getByRole("region", { name: /^Tags/ }).getByRole("definition").getByRole("link", { name: "Issues with number 2" }).click();
    assert.deepEqual(await asks(page), { status: "all", query: "broke tag.number:2", sort: "events" });
  });
});

test("a tag of the event leads to the events with the same value", async () => {
  const { path } = await issueWith("Own tags", 2);
  await onPage(server, `${path}?event=event-1`, {}, async (page) => {
    await page.getByRole("region", { name: /^Tags/ }).getByRole("definition").getByRole("link", { name: "1", exact: true }).click();
    await eventually(async () => rows(page).count(), 2, "the head and one row");
    assert.match(await rows(page).nth(1).innerText(), /user-1/);
    assert.equal(facetOf(page), "tag.number:1");
    assert.equal(eventOf(page), "event-1", "the event that was read");
  });
});

test("a filter that finds nothing, or is none, says so and can be removed", async () => {
  const { path } = await issueWith("Nothing", 1);
  await onPage(server, `${path}?facet=tag.number:9#events`, {}, async (page) => {
    await page.getByRole("heading", { name: "No event of this issue has this value" }).waitFor();
    await page.getByText("0 events", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Clear filter" }).click();
    await eventually(async () => rows(page).count(), 2, "the head and one row");
  });
  await onPage(server, `${path}?facet=nonsense#events`, { allow: [422] }, async (page) => {
    await page.getByRole("heading", { name: "Filter not understood" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
    await page.getByRole("link", { name: "Remove the filter nonsense" }).click();
    await eventually(async () => rows(page).count(), 2, "the head and one row");
  });
});

test("a menu opens for a press that comes before the page is whole", async () => {
  const { path } = await issueWith("Early", 1);
  await onPage(server, "/", {}, async (page) => {
    // Presses the button in the moment in which it stands in the page.
    await page.addInitScript(() => {
      const pressing = new MutationObserver(() => {
        const found = document.querySelector("[aria-label='More actions']");
        if (!found) return;
        pressing.disconnect();
        found.click();
      });
      pressing.observe(document, { childList: true, subtree: true });
    });
    await page.goto(server.origin + path);
    await page.getByRole("menuitem", { name: "Delete…" }).waitFor();
  });
});

test("on a phone all of the event comes first, and the numbers of the issue are folded beneath it", async () => {
  const { path } = await issueWith("On a phone", 2);
  await onPage(server, path, { width: 390 }, async (page) => {
    await shows(page, 2);
    const show = button(page, "Show trend, releases, users and tags");
    const [numbers, json] = await Promise.all([show, page.getByRole("heading", { name: "JSON" })].map((each) => each.boundingBox()));
    assert.ok(numbers.y > json.y, `${numbers.y} is below ${json.y}`);
    await show.click();
    await page.getByRole("heading", { name: "Releases" }).waitFor();
    await button(page, "Hide trend, releases, users and tags").click();
    await page.getByRole("heading", { name: "Releases" }).waitFor({ state: "detached" });
  });
});

test("deleting an issue wants its name, and leads back to the list", async () => {
  const { project, issue, path } = await issueWith("Gone", 1);
  await onPage(server, path, { allow: [404] }, async (page) => {
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const dialog = page.getByRole("dialog");
    assert.equal(await button(dialog, "Delete issue").isDisabled(), true);
    await dialog.getByRole("textbox").fill(issue.short_id);
    await button(dialog, "Delete issue").click();
    await eventually(async () => new URL(page.url()).pathname, `/projects/${project.id}/issues`, "the address");
    await page.getByRole("heading", { name: "No errors yet" }).waitFor();
  });
});
