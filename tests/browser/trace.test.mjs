// The page of a trace: what errors, breadcrumbs and logs share on one axis of time.

import assert from "node:assert/strict";
import { entryOf, hasLogs, sendLogs } from "./log-seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { assertWhole, eventually, onPage, pictures } from "./web.mjs";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const now = Date.now() - 120_000;
const time = (offset) => new Date(now + offset).toISOString();

let server;
let project;

before(async () => {
  server = await sharedServer();
  project = await server.project("Traced");
  const entry = (offset, message, more = {}) =>
    entryOf(0, { timestamp: (now + offset) / 1000, message, trace_id: trace, ...more });
  await sendLogs(project, [
    entry(-90_000, "the visit began", { level: "info" }),
    entry(-200, "charging the card", { level: "warn" }),
    entry(0, "another trace", { trace_id: "other" }),
  ]);
  await hasLogs(project, 3);
  const crumbs = [
    { timestamp: time(-3_000), category: "ui.click", message: "button#pay" },
    { timestamp: time(-500), category: "fetch", data: { method: "POST", url: "/pay", status_code: 500, duration: 1_500 } },
  ];
  const stack = "TypeError: no total\n    at pay (https://shop.example/a.js:1:2)";
  const send = (event_id, offset, message) =>
    project.sendAndRead(
      { type: "TypeError", message, stack: stack.replace("no total", message) },
      { event_id, timestamp: time(offset), trace_id: trace, breadcrumbs: crumbs },
    );
  await send("first", 0, "no total");
  await send("second", 1_000, "no total");
});

const mergedRows = (page) => page.getByRole("list", { name: "Timeline" }).getByRole("listitem");

test("a trace is one axis and one list, each row of which leads to where it is told in full", async () => {
  await onPage(server, `/projects/${project.id}/traces/${trace}`, {}, async (page) => {
    await mergedRows(page).filter({ hasText: "button#pay" }).waitFor();
    await page.getByText("2 errors").waitFor();
    const rows = (await mergedRows(page).allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
    assert.equal(rows.length, 7, rows.join("\n"));
    const at = (words) => rows.findIndex((row) => words.test(row));
    const order = [/the visit began/, /without anything/, /button#pay/, /POST \/pay 500/, /charging/, /^0 ms/, /\+1\.0 s/];
    assert.deepEqual(order.map(at), [0, 1, 2, 3, 4, 5, 6], rows.join("\n"));
    const axis = page.getByRole("slider", { name: "Time of this trace" });
    const marks = (lane) => axis.locator(`[data-lane="${lane}"] > *`).count();
    // The request is a mark and a bar for as long as it took.
    const counts = await Promise.all(["events", "user", "network", "logs"].map(marks));
    assert.deepEqual(counts, [2, 1, 2, 2]);
    await pictures(page, "trace");
    await page.setViewportSize({ width: 1440, height: 900 });
    await axis.focus();
    await page.keyboard.press("ArrowLeft");
    const said = () => axis.getAttribute("aria-valuetext").then((text) => /charging the card/.test(text));
    await eventually(said, true, "what the axis says");
    await page.getByRole("link", { name: "charging the card" }).click();
    const detail = page.getByRole("complementary", { name: "Log entry" });
    await detail.getByRole("link", { name: "The whole trace" }).click();
    await page.getByRole("link", { name: /TypeError: no total/ }).first().click();
    await page.waitForURL(/event=first/);
    await page.getByRole("tab", { name: "Timeline" }).click();
    const whole = page.getByRole("link", { name: "The whole trace" });
    await page.setViewportSize({ width: 390, height: 900 });
    assert.ok((await whole.boundingBox()).height >= 24, "room for a thumb");
    await page.setViewportSize({ width: 1440, height: 900 });
    await whole.click();
    await page.waitForURL(new RegExp(`/traces/${trace}`));
  });
});

test("beside the axis stands what to do with a finger, or with a mouse and keys", async () => {
  const path = `/projects/${project.id}/traces/${trace}`;
  const [byMouse, byFinger] = ["Point at a time, or move with the arrow keys.", "Tap a time to see what happened then."];
  await onPage(server, path, {}, async (page) => {
    await page.getByText(byMouse).waitFor();
    assert.equal(await page.getByText(byFinger).isVisible(), false);
  });
  await onPage(server, path, { width: 390, isMobile: true, hasTouch: true }, async (page) => {
    await page.getByText(byFinger).waitFor();
    assert.equal(await page.getByText(byMouse).isVisible(), false);
    await page.getByRole("slider", { name: "Time of this trace" }).tap();
    await page.getByText(byFinger).waitFor({ state: "detached" });
  });
});

test("what copies a trace's id stands beside it, on a phone, too", async () => {
  await onPage(server, `/projects/${project.id}/traces/${trace}`, {}, async (page) => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const title = await page.getByRole("heading", { level: 1 }).boundingBox();
      const copy = await page.getByRole("button", { name: "Copy trace ID" }).boundingBox();
      assert.ok(copy.x >= title.x + title.width && copy.x < title.x + title.width + 24, `${copy.x} px from the left at ${width}`);
      assert.ok(copy.y < title.y + title.height && copy.y + copy.height > title.y + title.height - 14, `${copy.y} px from the top at ${width}`);
    }
  });
});

test("an event that is no error is called an event, and shown by its level", async () => {
  const greeted = "5bf92f3577b34da6a3ce929d0e0e4737";
  await project.server.post("/api/v1/errors", { api_key: project.key, type: "message", message: "greeted", level: "info", trace_id: greeted, timestamp: time(0) }, { token: null, expect: 202 });
  const path = `/api/v1/projects/${project.id}/traces/${greeted}/errors`;
  await eventually(async () => (await server.request(path)).errors.length, 1, "the event");
  await onPage(server, `/projects/${project.id}/traces/${greeted}`, {}, async (page) => {
    await page.getByText("1 event", { exact: true }).waitFor();
    await page.getByText(/^first event/).waitFor();
    const row = mergedRows(page).filter({ hasText: "greeted" });
    await row.getByText("info", { exact: true }).waitFor();
    assert.equal(await page.locator("main").getByText(/\berrors?\b/i).count(), 0, "nothing here is an error");
    await pictures(page, "trace-info");
  });
});

test("a trace that nothing has says so", async () => {
  await onPage(server, `/projects/${project.id}/traces/nothing%2Fat%20all`, {}, async (page) => {
    await page.getByRole("heading", { name: "Nothing has this trace ID" }).waitFor();
    await page.getByRole("heading", { name: "Trace nothing/at all" }).waitFor();
    const current = page.getByRole("navigation", { name: "Main" }).locator('[aria-current="page"]');
    assert.deepEqual(await current.allInnerTexts(), ["Logs"]);
    await assertWhole(page);
    await pictures(page, "trace-nothing");
  });
});

test("where one half of a trace cannot be loaded, the other is shown", async () => {
  const failing = (address) => (page) =>
    page.route(address, (route) => route.fulfill({ status: 500, json: { detail: "Out of order" } }));
  const address = `/projects/${project.id}/traces/${trace}`;
  await onPage(server, address, { routes: failing(/\/traces\/[^/]+\/errors/), allow: [500] }, async (page) => {
    await page.getByRole("heading", { name: "The events of this trace could not be loaded" }).waitFor();
    await mergedRows(page).filter({ hasText: "charging the card" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "2 log entries" }).count(), 1);
    assert.equal(await page.getByText(/\d (error|event)s?$/).count(), 0);
  });
  await onPage(server, address, { routes: failing(/\/logs\?/), allow: [500] }, async (page) => {
    await page.getByRole("heading", { name: "The logs of this trace could not be loaded" }).waitFor();
    await mergedRows(page).filter({ hasText: "TypeError: no total" }).first().waitFor();
    await page.getByText("2 errors").waitFor();
    assert.equal(await page.getByRole("link", { name: /log entr/ }).count(), 0);
  });
});
