// Many tabs of one browser. Over HTTP/1.1 they have six connections together, and a stream keeps one for good.

import assert from "node:assert/strict";
import { eventOf, fill, sendAll } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, newContext, openPage } from "./web.mjs";

let server;

before(async () => {
  server = await sharedServer();
});

/** A project, and its list in so many tabs of one browser. */
async function withTabs(name, tabs, act) {
  const project = await server.project(name);
  await fill(project, 2);
  const context = await newContext(server);
  const opened = [];
  try {
    for (let at = 0; at < tabs; at += 1) {
      const tab = await openPage(server, `/projects/${project.id}/issues`, { context });
      opened.push(tab);
      await tab.page.locator("[data-issue]").first().waitFor();
    }
    await act(project, opened);
    for (const tab of opened) tab.check();
  } catch (error) {
    await opened.at(-1)?.report(error);
    throw error;
  } finally {
    await context.close();
  }
}

/** Tells of an error, and waits until all tabs show it. What tabs may ask because of messages is renewed: eight need much. */
async function allShow(project, opened, index, message) {
  await opened[0].page.evaluate(() => localStorage.removeItem("mayday.live-budget"));
  await sendAll(project, [eventOf(index, { timestamp: undefined, exception: { message } })]);
  await Promise.all(opened.map(({ page }) => page.getByRole("link", { name: message }).waitFor()));
}

const streams = (opened, which = /projects\/\d+\/stream/) => opened.map((tab) => tab.requests(which).length);
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

test("eight tabs show what comes by one stream", async () => {
  await withTabs("Eight", 8, async (project, opened) => {
    await allShow(project, opened, 50, "seen in every tab");
    assert.equal(sum(streams(opened)), 1, `streams of the tabs: ${streams(opened)}`);
    const own = () => streams(opened, /me\/stream/);
    assert.equal(sum(own()), 1, `streams of what the person is told: ${own()}`);
    await Promise.all(opened.map(({ page }) => page.getByRole("button", { name: /^Inbox \d+ unread$/ }).waitFor()));
  });
});

test("when the tab with the stream is closed another one takes it, and nothing is missed", async () => {
  await withTabs("Closing", 3, async (project, opened) => {
    await allShow(project, opened, 60, "before it was closed");
    const [first] = opened.splice(streams(opened).indexOf(1), 1);
    await first.page.close();
    await allShow(project, opened, 61, "after it was closed");
    await eventually(async () => sum(streams(opened)), 1, "streams that others opened");
    await opened[0].page.reload();
    await opened[0].page.getByRole("link", { name: "after it was closed" }).waitFor();
    await allShow(project, opened, 62, "after one was loaded anew");
    assert.ok(sum(streams(opened)) <= 3, `streams of the tabs: ${streams(opened)}`);
  });
});

test("a tab that nobody saw for a while is told what it missed by the one that has the stream", async () => {
  await withTabs("Away", 3, async (project, opened) => {
    await allShow(project, opened, 70, "seen by all");
    const away = opened[streams(opened).indexOf(0)];
    const appear = (state) =>
      away.page.evaluate((value) => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await away.page.clock.install();
    await appear("hidden");
    await away.page.clock.runFor(16_000);
    await allShow(project, opened.filter((tab) => tab !== away), 71, "while nobody looked");
    await appear("visible");
    await away.page.clock.resume();
    await away.page.getByRole("link", { name: "while nobody looked" }).waitFor();
    assert.equal(sum(streams(opened)), 1, `streams of the tabs: ${streams(opened)}`);
  });
});
