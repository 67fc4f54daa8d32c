// Ten minutes and an hour of a real page: the shop, recorded by the client and sent by it. Only the page's clock is not
// the real one: it runs as fast as the page can.

import assert from "node:assert/strict";
import { watchLong } from "./long-player.mjs";
import { sendLong } from "./long-replay.mjs";
import { eventsOf, recording, replaysOf, visit } from "./recorded.mjs";
import { sharedServer, until } from "./server.mjs";
import { shopSite } from "./shop-site.mjs";
import { before, test } from "./suite.mjs";
import { eventually } from "./web.mjs";

let server;

before(async () => {
  server = await sharedServer();
});

const MINUTE = 60_000;

/** The page says what time it is, second by second, has a field to type in, and is as long as real ones are. */
const more = `<script>addEventListener("DOMContentLoaded", () => {
  const make = (name, more, ...children) => {
    const element = Object.assign(document.createElement(name), more);
    element.append(...children);
    return element;
  };
  const clock = make("p", { id: "clock" });
  const tick = () => (clock.textContent = "second " + Math.floor(Date.now() / 1000));
  tick();
  setInterval(tick, 1000);
  const hash = (row, part) => (Math.imul(row * 8 + part + 1, 2654435761) >>> 0).toString(36);
  const stock = Array.from({ length: 400 }, (_, row) => make("li", {}, Array.from({ length: 8 }, (_, part) => hash(row, part)).join(" ")));
  document.body.prepend(clock, make("input", { id: "note" }));
  document.body.append(make("ul", { id: "stock" }, ...stock));
});</script>`;

/** What a person sees of the page, in the page or in the player's copy of it. What was typed is stars in the latter. */
function seen() {
  const note = document.querySelector("#note").value.replace(/./g, "*");
  return { cart: document.querySelector("#cart").textContent, note, stock: document.querySelector("#stock").textContent.length };
}

/**
 * What somebody does in a minute: puts something into the cart, types, or goes to another page. What is typed is recorded
 * as the field is left.
 */
async function use(page, minute) {
  if (minute % 20 === 19) {
    await page.goto(`${new URL(page.url()).origin}/?hall=${minute}`);
    await page.waitForFunction(() => window.mayday?.startReplay);
    await recording(page);
    await page.locator("#cart").waitFor();
  } else if (minute % 3 === 0) {
    await page.locator("[data-sku]").nth((minute % 9) / 3).click();
  } else if (minute % 3 === 1) {
    await page.locator("#note").pressSequentially(`${minute}, `);
    await page.keyboard.press("Tab");
  } else await page.evaluate((path) => history.pushState({}, "", path), `/aisle/${minute}`);
}

/** Requests of the recorder that are not answered yet, and when that last changed. */
function watched(page) {
  const sent = { open: new Set(), at: 0 };
  const isPart = (request) => request.method() === "POST" && /\/replays\/chunk\?/.test(request.url());
  const changed = () => (sent.at = performance.now());
  page.on("request", (request) => isPart(request) && sent.open.add(request) && changed());
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => sent.open.delete(request) && changed());
  return sent;
}

/** Uses the shop for so long, and stops recording. Answers how it looked from when on. */
async function shopFor(page, minutes) {
  const sent = watched(page);
  const look = async () => ({ at: await page.evaluate(() => Date.now()), ...(await page.evaluate(seen)) });
  await recording(page);
  await page.locator("#cart").waitFor();
  const states = [await look()];
  for (let minute = 0; minute < minutes; minute += 1) {
    await use(page, minute);
    states.push(await look());
    await page.clock.runFor(MINUTE);
    // One part is sent after the other, and only so many wait.
    await until("what was recorded is sent", async () => (sent.open.size === 0 && performance.now() > sent.at + 50 ? true : undefined));
  }
  await page.evaluate(() => window.mayday.stopReplay());
  return states;
}

/** What was recorded is all there: each second, and a picture of the whole page every two minutes. */
async function assertAllThere(project, replay, why) {
  const { start_timestamp: start, end_timestamp: end } = replay;
  const events = await eventsOf(server, project, replay);
  const text = JSON.stringify(events);
  assert.deepEqual(events.at(-1), { type: 5, timestamp: end, data: { tag: "mayday.end", payload: { why } } });
  assert.doesNotMatch(text, /mayday\.(lost|gap|pictures)/);
  const shown = new Set(Array.from(text.matchAll(/"second (\d+)"/g), ([, second]) => Number(second)));
  const seconds = Array.from({ length: Math.floor((end - start) / 1_000) }, (_, index) => Math.floor(start / 1_000) + index);
  assert.deepEqual(seconds.filter((second) => !shown.has(second)), []);
  const pictures = events.filter(({ type }) => type === 2).map(({ timestamp }) => timestamp);
  const apart = [...pictures, end].map((at, index) => at - (pictures[index - 1] ?? start));
  assert.ok(Math.max(...apart) < 2.1 * MINUTE, `${apart} ms`);
}

/** The shop is used for so long, and recorded. */
async function recorded(project, minutes) {
  const tag = `<script src="${server.origin}/client.js" data-key="${project.key}" data-replay="always" crossorigin async></script>`;
  const site = await shopSite("browser-a", tag + more);
  let replay;
  let states;
  const shopping = async (page) => {
    states = await shopFor(page, minutes);
  };
  const arrives = async () => {
    [replay] = await replaysOf(server, project, 1, ({ is_complete }) => is_complete);
  };
  try {
    const time = Date.now() - (minutes + 1) * MINUTE;
    assert.deepEqual(await visit(site.origin, shopping, { arrives, time }), [], "nothing is logged");
  } finally {
    await site.close();
  }
  return { replay, states };
}

/** Whether the page looks as it did at a second of the replay; what was done in that second may be there or not. */
async function looksRight(frame, second, { replay, states }) {
  const shows = Number((await frame.locator("#clock").innerText()).replace("second ", ""));
  const now = await frame.locator("html").evaluate(seen);
  const possible = states.filter(({ at }, index) => at < (shows + 1) * 1_000 && !(states[index + 1]?.at < shows * 1_000));
  return {
    isNear: Math.abs(shows - replay.start_timestamp / 1_000 - second) <= 2,
    isAsItWas: possible.some(({ cart, note, stock }) => cart === now.cart && note === now.note && stock === now.stock),
  };
}

// An hour ends by itself, ten seconds before the server would end it.
for (const { minutes, seconds, clicks, why } of [
  { minutes: 10, seconds: 600, clicks: 4, why: "stopped" },
  { minutes: 60, seconds: 3_590, clicks: 19, why: "limit" },
]) {
  test(`${minutes} minutes of a real page are recorded to their end, and each moment is shown as it was`, async () => {
    const project = await server.project(`${minutes} real minutes`);
    const { replay, states } = await recorded(project, minutes);
    assert.equal(replay.duration_ms, seconds * 1_000);
    assert.equal(replay.click_count, clicks);
    assert.ok(replay.chunks >= seconds / 5, `a part every five seconds: ${replay.chunks}`);
    await assertAllThere(project, replay, why);

    const { replay: other } = await sendLong(server, project, 1);
    const expected = { isNear: true, isAsItWas: true };
    const look = (frame, second) => looksRight(frame, second, { replay, states });
    const atEnd = (frame) => eventually(() => look(frame, seconds), expected, "the last second");
    await watchLong(server, project, { replay, other }, { isThere: (frame) => frame.locator("#cart"), look, expected, atEnd });
  });
}
