// A recorder whose server is not there: offline, busy, gone. Nothing is lost, and the page does not notice. And a replay
// that is watched while it is being recorded.

import assert from "node:assert/strict";
import { eventsOf, recording, replaysOf, shown, site, visit, withClient } from "./recorded.mjs";
import { Server, until } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, onPage } from "./web.mjs";

let server;
let shop;

before(async () => {
  server = await Server.start();
  shop = await site(server);
});
after(async () => {
  await shop?.close();
  await server?.stop();
});

const body = `<h1>Checkout</h1><button id="add">Add</button><ul id="list"></ul>
  <script nonce="page">let count = 0; add.onclick = () => { const item = document.createElement("li"); item.textContent = "Tea " + (count += 1); list.append(item); };</script>`;

/** Presses the button so many times; the page shows it at once, whatever the network does. */
async function press(page, times) {
  const before = await page.locator("li").count();
  for (let time = 0; time < times; time += 1) await page.click("#add");
  await eventually(() => page.locator("li").count(), before + times, "the page goes on");
}

/** Requests with parts of a replay, by what became of them. */
function watched(page) {
  const parts = { sent: 0, failed: 0, answered: [] };
  const isPart = (request) => /\/replays\/chunk\?sent=\d+$/.test(request.url()) && request.method() === "POST";
  page.on("request", (request) => isPart(request) && (parts.sent += 1));
  page.on("requestfailed", (request) => isPart(request) && (parts.failed += 1));
  page.on("response", (response) => isPart(response.request()) && parts.answered.push(response.status()));
  return parts;
}

/** What was added to the list in a replay, each once and in order. */
async function added(project, replay) {
  const events = await eventsOf(server, project, replay);
  const texts = JSON.stringify(events).match(/"Tea \d+"/g) ?? [];
  return [...new Set(texts)].map((text) => Number(/\d+/.exec(text)[0]));
}

const upTo = (count) => Array.from({ length: count }, (_, index) => index + 1);

/** Records a visit that `trouble` befalls, and compares what arrived with what was done. */
async function survives(name, trouble, count) {
  const project = await server.project(name);
  shop.pages[`/${name}`] = withClient(server, project, 'data-replay="always"', body);
  let replay;
  const problems = [];
  await visit(`${shop.origin}/${name}`, async (page, { context }) => {
    page.on("pageerror", (error) => problems.push(error.message));
    const parts = watched(page);
    await recording(page);
    await press(page, 2);
    await until("the first part", async () => (parts.answered.includes(202) ? true : undefined));
    await trouble(page, parts, context);
    await page.evaluate(() => window.mayday.stopReplay());
    [replay] = await replaysOf(server, project, 1, ({ is_complete }) => is_complete);
  }, { leave: false });
  assert.deepEqual(problems, [], "the page itself sees no error");
  assert.deepEqual(await added(project, replay), upTo(count));
  assert.doesNotMatch(JSON.stringify(await eventsOf(server, project, replay)), /mayday\.lost/);
}

test("offline for a while, everything that was recorded arrives in order", async () => {
  await survives("offline", async (page, parts, context) => {
    await context.setOffline(true);
    await press(page, 2);
    await until("a part cannot be sent", async () => (parts.failed > 0 ? true : undefined));
    await press(page, 2);
    await context.setOffline(false);
    await press(page, 1);
  }, 7);
});

test("answered 429, the recorder waits as it is told, and sends the same part again", async () => {
  await survives("busy", async (page, parts) => {
    const refused = [];
    let told = 0;
    await page.route(/\/replays\/chunk\?/, async (route) => {
      if (route.request().method() !== "POST" || refused.length >= 3) return route.fallback();
      const at = Date.now();
      assert.ok(at - told >= 1_900, `asked again after ${at - told} ms of 2 s`);
      told = at;
      refused.push(route.request().postDataBuffer()?.toString("base64"));
      return route.fulfill({ status: 429, headers: { "Retry-After": "2", "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After" } });
    });
    await press(page, 3);
    await until("three refusals", async () => (refused.length === 3 ? true : undefined));
    assert.equal(new Set(refused).size, 1, "the same part each time");
    assert.ok(parts.sent >= 3);
  }, 5);
});

test("while the server is down the page goes on, and what it recorded arrives once it is back", async () => {
  await survives("down", async (page, parts) => {
    await server.goAway();
    await press(page, 2);
    await until("a part cannot be sent", async () => (parts.failed > 0 ? true : undefined));
    await press(page, 3);
    await server.comeBack();
    await press(page, 1);
  }, 8);
});

test("a part that the server does not take is a gap: what was in it is counted, and whoever watches it live goes on", { tag: "@pages" }, async () => {
  const project = await server.project("refused");
  shop.pages["/refused"] = withClient(server, project, 'data-replay="always"', body);
  await visit(`${shop.origin}/refused`, async (recorded) => {
    const parts = watched(recorded);
    await recording(recorded);
    await press(recorded, 1);
    await until("the first part", async () => (parts.answered.includes(202) ? true : undefined));
    let refused = 0;
    await recorded.route(/\/replays\/chunk\?/, async (route) => {
      if (route.request().method() !== "POST" || refused > 0) return route.fallback();
      refused += 1;
      return route.fulfill({ status: 422, headers: { "Access-Control-Allow-Origin": "*" }, body: "{}" });
    });
    await press(recorded, 2);
    await until("a part is refused", async () => (refused > 0 ? true : undefined));
    await press(recorded, 1);
    // The page goes on by itself: a minute after its last part a replay is live no more, however long it takes to watch it.
    await recorded.evaluate(() => setInterval(() => document.querySelector("#add").click(), 1_000));
    const [{ replay_id: id }] = await replaysOf(server, project, 1, ({ is_live }) => is_live);
    await onPage(server, `/projects/${project.id}/replays/${id}`, { allow: [/^Blocked script execution/] }, async (page) => {
      await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
      await page.getByText(/^Part \d+ never arrived: .* s (is|are) missing at \d+:\d\d\.$/).waitFor();
      await page.getByText(/^The server did not take \d+ recorded events?\.$/).waitFor();
      assert.equal(await page.locator("[data-gap]").count(), 1);
      await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    });
  }, { leave: false });
});

test("a replay is watched while it is recorded, and is over when the recording is", { tag: "@pages" }, async () => {
  const project = await server.project("live");
  shop.pages["/live"] = withClient(server, project, 'data-replay="always"', body);
  await visit(`${shop.origin}/live`, async (recorded) => {
    await recording(recorded);
    await press(recorded, 2);
    const [{ replay_id: id }] = await replaysOf(server, project, 1, ({ is_live }) => is_live);
    await onPage(server, `/projects/${project.id}/replays/${id}`, { allow: [/^Blocked script execution/] }, async (page) => {
      await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
      const frame = await shown(page);
      const slider = page.getByRole("slider", { name: "Time", exact: true });
      const reached = async () => Number(await slider.getAttribute("aria-valuemax"));
      await page.locator('button[aria-label="Play"]:enabled').click();
      await eventually(() => frame.locator("li").allInnerTexts(), ["Tea 1", "Tea 2"], "what has arrived");
      const before = await reached();
      await press(recorded, 2);
      await eventually(() => frame.locator("li").allInnerTexts(), upTo(4).map((each) => `Tea ${each}`), "what is added meanwhile");
      assert.ok((await reached()) > before, "the time goes on");
      await recorded.evaluate(() => window.mayday.stopReplay());
      await until("it is over", async () => ((await page.getByRole("status").filter({ hasText: "Live" }).count()) === 0 ? true : undefined), 60_000);
      await page.getByRole("button", { name: "Play", exact: true }).waitFor({ timeout: 60_000 });
    });
  });
});
