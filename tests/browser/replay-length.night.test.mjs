// Replays of ten minutes and of an hour: they begin before all of them is there, and every moment shows what it should.
// Nothing here measures time: what counts is what has arrived by then.

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

/** Seconds that a recording takes to arrive at first: long enough for a look at what is there by then. */
const arrival = 40;

/** What the browser says of Playwright itself, as it looks into a frame without scripts whose document is new. */
const looking = /^Blocked script execution/;

for (const minutes of [10, 60]) {
  test(`a replay of ${minutes} minutes begins before it is all there, plays, and shows each moment as it was`, async () => {
    const project = await server.project(`${minutes} minutes`);
    const { replay: other } = await sendLong(server, project, 1);
    const { replay } = await sendLong(server, project, minutes);
    assert.equal(Math.round(replay.duration_ms / 60_000), minutes);
    await onPage(server, "/", { allow: [looking] }, async (page) => {
      const network = await page.context().newCDPSession(page);
      await network.send("Network.enable");
      await page.goto(`${server.origin}/projects/${project.id}/replays/${other.replay_id}`);
      await (await shown(page)).getByText("second").first().waitFor();
      await page.getByRole("link", { name: "Replays" }).first().click();
      await page.getByRole("row").nth(2).locator("img").first().waitFor();
      // The app is there by now; from here on only the recording is slow.
      const slow = Math.round(replay.bytes / arrival);
      await network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: slow, uploadThroughput: -1 });
      await page.getByRole("row").filter({ hasText: minutes === 60 ? "1:00:00" : "10:00" }).getByRole("link").click();
      const slider = page.getByRole("slider", { name: "Time", exact: true });
      const isLoading = async () => (await slider.getAttribute("aria-busy")) === "true";
      const reached = async () => Number(await slider.getAttribute("aria-valuemax"));
      const frame = await shown(page);
      await frame.getByText("second", { exact: false }).first().waitFor();
      assert.equal(await isLoading(), true, "the picture is there before the rest");
      assert.ok((await reached()) < minutes * 60, `${await reached()} s`);
      // It plays what is there, by key, while the rest arrives.
      await page.keyboard.press(" ");
      await until("it plays", async () => (Number(await slider.getAttribute("aria-valuenow")) > 0 ? true : undefined));
      assert.equal(await isLoading(), true, "it plays before the rest is there");
      await page.keyboard.press(" ");
      await network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
      await until("all of it", async () => ((await isLoading()) ? undefined : true), 120_000);
      assert.equal(await reached(), minutes * 60);

      // Every moment shows what the page said then: forwards, backwards, just before and after a picture.
      const whole = minutes * 60;
      const { x, y, width, height } = await slider.boundingBox();
      const seek = async (second) => {
        await page.mouse.click(x + (width * second) / whole, y + height / 2);
        return Number(await slider.getAttribute("aria-valuenow"));
      };
      for (const share of [0.5, 0.99, 0.02, 0.75, 0.5001, 0.4999, 0.25, 1]) {
        await seek(share * whole);
        await eventually(async () => {
          const wanted = Number(await slider.getAttribute("aria-valuenow"));
          return shows(frame, wanted);
        }, { isNear: true, rows: 200, isNewest: true, isWhole: true }, `at ${share} of it`);
      }
      // To the last second it plays by itself.
      await seek(whole - 4);
      await page.keyboard.press(" ");
      await until("the end", async () => {
        const at = Number(await slider.getAttribute("aria-valuenow"));
        return at === whole && (await page.getByRole("button", { name: "Play", exact: true }).isVisible()) ? true : undefined;
      });
      await eventually(() => frame.locator("h1").innerText(), clockAt(whole - 1), "the last second");
    });
  });
}

/** Whether what stands in the page is what stood there at that second, by the page's own clock. */
async function shows(frame, wanted) {
  const words = await frame.locator("h1").innerText();
  const rows = await frame.locator("li").allInnerTexts();
  const second = Number(words.replace("second ", ""));
  return {
    isNear: Math.abs(second - wanted) <= 1,
    rows: rows.length,
    isNewest: rows.at(-1) === wordsOf(newestAt(second)),
    isWhole: words === clockAt(second),
  };
}
