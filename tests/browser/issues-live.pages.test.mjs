// The list of issues follows what happens, without being asked and without moving under the pointer.

import assert from "node:assert/strict";
import { eventOf, fill, hasIssues, sendAll } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, heldBack, newContext, onPage, openPage } from "./web.mjs";

let server;

const rows = (page) => page.locator("[data-issue]");
const shown = (page) => rows(page).evaluateAll((all) => all.map((row) => Number(row.dataset.issue)));
const listOf = (project) => `/projects/${project.id}/issues`;
const titled = (page, words) => page.getByRole("link", { name: words });
const pill = (page) => page.getByRole("button", { name: /\. Show (the new order|it)$/ });

before(async () => {
  server = await sharedServer();
});

async function fresh(name, count) {
  const project = await server.project(name);
  await fill(project, count);
  return project;
}

/** Keeps every stream that the page opens, so that a test can look at it. */
function keepStreams() {
  window.streams = [];
  const Given = window.EventSource;
  window.EventSource = class extends Given {
    constructor(...words) {
      super(...words);
      window.streams.push(this);
    }
  };
}

/** Waits until the page listens, or waits to take over from another tab: what happens from now on comes by the stream. */
const listening = (page) =>
  page.waitForFunction(async () => {
    const { pending } = await navigator.locks.query();
    return pending.length > 0 || window.streams.some(({ readyState }) => readyState === 1);
  });

/** Opens the list with the pointer away from it. */
async function openList(project, options = {}) {
  const routes = async (page) => {
    await page.addInitScript(keepStreams);
    await options.routes?.(page);
  };
  const opened = await openPage(server, listOf(project), { ...options, routes });
  await rows(opened.page).first().waitFor();
  await listening(opened.page);
  await opened.page.mouse.move(2, 2);
  return opened;
}

async function withList(project, act, options) {
  const opened = await openList(project, options);
  try {
    await act(opened.page, opened);
    opened.check();
  } catch (error) {
    await opened.report(error);
    throw error;
  } finally {
    await opened.close();
  }
}

test("a new issue appears by itself, in the list and in the count beside it", async () => {
  const project = await fresh("News", 3);
  await withList(project, async (page) => {
    const loaded = await page.evaluate(() => performance.timeOrigin);
    await sendAll(project, [eventOf(50, { timestamp: undefined, exception: { message: "out of the blue" } })]);
    await titled(page, /out of the blue/).waitFor();
    await eventually(() => rows(page).count(), 4, "rows");
    await page.getByText("4 issues", { exact: true }).waitFor();
    await page.getByTitle("4 unresolved issues").waitFor();
    assert.equal(await page.evaluate(() => performance.timeOrigin), loaded, "the page was not loaded anew");
    assert.match(await rows(page).first().innerText(), /out of the blue/);
  });
});

test("an empty list turns by itself when the first event comes", async () => {
  const project = await server.project("First");
  const opened = await openPage(server, listOf(project), { routes: (page) => page.addInitScript(keepStreams) });
  try {
    await opened.page.getByRole("heading", { name: "No errors yet" }).waitFor();
    await listening(opened.page);
    await project.send({ type: "TypeError", message: "the first of all" });
    await titled(opened.page, /the first of all/).waitFor();
    opened.check();
  } finally {
    await opened.close();
  }
});

test("what happens between the list's answer and its stream is shown, too", async () => {
  const project = await fresh("Between", 3);
  let held;
  const routes = async (page) => void (held = await heldBack(page, /\/projects\/\d+\/stream/));
  await onPage(server, listOf(project), { routes }, async (page, opened) => {
    await rows(page).nth(2).waitFor();
    await eventually(() => opened.requests(/\/projects\/\d+\/stream/).length, 1, "streams");
    await sendAll(project, [eventOf(60, { timestamp: undefined, exception: { message: "in between" } })]);
    await hasIssues(project, 4);
    assert.equal(await rows(page).count(), 3, "nobody has told the page");
    held.go();
    await titled(page, /in between/).waitFor();
  });
});

test("under the pointer no row moves: a button tells what came, and shows it", async () => {
  const project = await fresh("Still", 5);
  await withList(project, async (page) => {
    const before = await shown(page);
    await rows(page).nth(2).hover();
    await sendAll(project, [
      eventOf(60, { timestamp: undefined, exception: { message: "unseen as yet" } }),
      eventOf(4, { timestamp: undefined }),
    ]);
    await pill(page).waitFor();
    assert.deepEqual(await shown(page), before, "every row stays in its place");
    await eventually(async () => /\b2\b/.test(await rows(page).nth(4).innerText()), true, "the numbers of a row go on");
    assert.equal(await titled(page, /unseen as yet/).count(), 0);
    // By the keyboard: a pointer that leaves the rows on its way shows what came as well.
    await pill(page).press("Enter");
    await titled(page, /unseen as yet/).waitFor();
    await eventually(() => rows(page).count(), 6, "rows");
    await pill(page).waitFor({ state: "detached" });
  });
});

test("when the pointer leaves, what came is shown", async () => {
  const project = await fresh("Leaving", 4);
  await withList(project, async (page) => {
    await rows(page).nth(1).hover();
    await sendAll(project, [eventOf(70, { timestamp: undefined, exception: { message: "while pointing" } })]);
    await pill(page).waitFor();
    await page.mouse.move(2, 2);
    await titled(page, /while pointing/).waitFor();
  });
});

test("a burst of 500 events makes a few requests a second, and every event is counted", async () => {
  const project = await fresh("Burst", 2);
  await withList(project, async (page) => {
    const asked = [];
    page.on("request", (request) => {
      if (/\/issues\?.*limit=50&offset=0/.test(request.url())) asked.push(Date.now());
    });
    const started = Date.now();
    for (let at = 0; at < 500; at += 10) {
      await sendAll(project, Array.from({ length: 10 }, () => eventOf(0, { timestamp: undefined })));
    }
    await page.getByTitle("501 events").waitFor();
    const seconds = (Date.now() - started) / 1000;
    const most = Math.max(...asked.map((time) => asked.filter((other) => other >= time && other < time + 1000).length));
    assert.ok(most <= 3, `${most} requests in one second`);
    assert.ok(asked.length <= 2 * seconds + 3, `${asked.length} requests in ${seconds} s`);
    assert.ok(asked.length > 0, "requests were seen");
  });
});

test("a page that nobody sees ends its stream, and catches up when it is seen again", async () => {
  const project = await fresh("Hidden", 2);
  const routes = (page) => page.clock.install();
  await withList(project, async (page) => {
    // The other stream is the bell's.
    const states = () =>
      page.evaluate(() => window.streams.filter(({ url }) => url.includes("/projects/")).map(({ readyState }) => readyState));
    const appear = (state) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await sendAll(project, [eventOf(80, { timestamp: undefined, exception: { message: "seen at once" } })]);
    await titled(page, /seen at once/).waitFor();
    const open = (await states()).filter((state) => state < 2).length;
    assert.equal(open, 1, "one stream for a page");
    await appear("hidden");
    await page.clock.runFor(5_000);
    await appear("visible");
    assert.equal((await states()).filter((state) => state < 2).length, 1, "a short look elsewhere ends nothing");
    await appear("hidden");
    await page.clock.runFor(16_000);
    await eventually(async () => (await states()).filter((state) => state < 2).length, 0, "streams that are open");
    await sendAll(project, [eventOf(81, { timestamp: undefined, exception: { message: "while nobody looked" } })]);
    await project.issuesOf(4);
    await appear("visible");
    await titled(page, /while nobody looked/).waitFor();
    assert.equal((await states()).filter((state) => state < 2).length, 1);
    const urls = await page.evaluate(() => window.streams.map(({ url }) => url));
    assert.match(urls.filter((url) => url.includes("/projects/")).at(-1), /last_event_id=/);
  }, { routes });
});

test("what is done in one tab is seen in the other", async () => {
  const project = await fresh("Tabs", 3);
  const context = await newContext(server);
  try {
    const one = await openList(project, { context });
    const other = await openList(project, { context });
    const ids = await shown(one.page);
    await rows(one.page).nth(1).getByRole("checkbox").click();
    await one.page.getByRole("button", { name: "Resolve", exact: true }).click();
    await eventually(() => shown(other.page), [ids[0], ids[2]], "the rows of the other tab");
    await other.page.getByText("2 issues", { exact: true }).waitFor();
    one.check();
    other.check();
  } finally {
    await context.close();
  }
});

test("a stream that is refused is tried again later, and the list stays of use", async () => {
  const project = await fresh("Refused", 2);
  let refusing = true;
  const routes = (page) =>
    page.route(/\/stream/, (route) => (refusing ? route.fulfill({ status: 503, json: { detail: "too many streams" } }) : route.continue()));
  await onPage(server, listOf(project), { routes, allow: [503] }, async (page, opened) => {
    await rows(page).nth(1).waitFor();
    refusing = false;
    await eventually(async () => opened.requests(/\/stream/).length > 1, true, "another attempt");
    await sendAll(project, [eventOf(90, { timestamp: undefined, exception: { message: "after the refusal" } })]);
    await titled(page, /after the refusal/).waitFor();
  });
});
