// A replay that is opened late in it: the moment is there before what came earlier.

import assert from "node:assert/strict";
import { clockAt, newestAt, sendLong, wordsOf } from "./long-replay.mjs";
import { shown } from "./recorded.mjs";
import { sharedServer, until } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, onPage } from "./web.mjs";

let server;

before(async () => {
  server = await sharedServer();
});

/** What the browser says of Playwright itself, as it looks into a frame without scripts whose document is new. */
const looking = /^Blocked script execution/;

/** Has the page wait for what follows the first 60 kB of a recording, until it is told to go on. */
function hold(replay) {
  const { fetch } = window;
  const told = new Promise((resolve) => (window.goOn = resolve));
  window.fetch = async (address, ...rest) => {
    const answer = await fetch(address, ...rest);
    if (!String(address).includes(`/${replay}/events?`) || !String(address).includes("from_chunk=0")) return answer;
    const all = new Uint8Array(await answer.arrayBuffer());
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(all.slice(0, 60_000));
        await told;
        controller.enqueue(all.slice(60_000));
        controller.close();
      },
    });
    return new Response(body, { headers: answer.headers });
  };
}

test("a moment late in a replay is shown before the replay has been read so far", async () => {
  const project = await server.project("Late");
  const { replay: other } = await sendLong(server, project, 1);
  const { replay } = await sendLong(server, project, 6);
  await onPage(server, "/", { allow: [looking] }, async (page) => {
    await page.goto(`${server.origin}/projects/${project.id}/replays/${other.replay_id}`);
    await (await shown(page)).getByText("second").first().waitFor();
    // What came earlier is held back, but for its beginning.
    await page.evaluate(hold, replay.replay_id);
    const moment = page.waitForResponse((answer) => answer.url().includes("at=320400"));
    await page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, `/projects/${project.id}/replays/${replay.replay_id}?t=320.4`);
    const slider = page.getByRole("slider", { name: "Time", exact: true });
    await until("the other replay", async () => ((await slider.getAttribute("aria-valuenow")) === "320" ? true : undefined));
    const frame = await shown(page);
    const seen = async () => [await frame.locator("h1").innerText(), await frame.locator("li").last().innerText()];
    await eventually(seen, [clockAt(320), wordsOf(newestAt(320))], "the moment");
    assert.equal((await moment).headers()["x-first-chunk"], "30");
    assert.equal(await slider.getAttribute("aria-busy"), "true", "the rest is still on its way");
    await page.getByText("https://shop.example/orders?page=1").first().waitFor();
    await page.evaluate(() => window.goOn());
    await until("all of it", async () => ((await slider.getAttribute("aria-busy")) === "true" ? undefined : true));
    assert.equal(await slider.getAttribute("aria-valuemax"), "360");
    assert.equal(await slider.getAttribute("aria-valuenow"), "320");
    await eventually(seen, [clockAt(320), wordsOf(newestAt(320))], "the moment, in the whole");
    await page.keyboard.press(" ");
    await until("it plays on", async () => (Number(await slider.getAttribute("aria-valuenow")) > 321 ? true : undefined));
  });
});
