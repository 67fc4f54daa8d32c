// Watches a long replay while it arrives slowly, and looks at moments everywhere in it.

import assert from "node:assert/strict";
import { shown } from "./recorded.mjs";
import { until } from "./server.mjs";
import { eventually, onPage } from "./web.mjs";

/** Seconds that a recording takes to arrive at first: long enough for a look at what is there by then. */
const arrival = 40;

/** What the browser says of Playwright itself, as it looks into a frame without scripts whose document is new. */
const looking = /^Blocked script execution/;

/**
 * Opens `replay` from the list, after `other`, which is the newest of two. What the recorded page shows is awaited in
 * `isThere(frame)`; at each moment, `look(frame, second)` has to answer what is `expected`; `atEnd(frame)` looks at the
 * last.
 */
export async function watchLong(server, project, { replay, other }, { isThere, look, expected, atEnd }) {
  const whole = Math.round(replay.duration_ms / 1_000);
  await onPage(server, "/", { allow: [looking] }, async (page) => {
    const network = await page.context().newCDPSession(page);
    const limit = (downloadThroughput) =>
      network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput, uploadThroughput: -1 });
    await network.send("Network.enable");
    await page.goto(`${server.origin}/projects/${project.id}/replays/${other.replay_id}`);
    await (await shown(page)).getByText("second").first().waitFor();
    await page.getByRole("link", { name: "Replays" }).first().click();
    await page.getByRole("row").nth(2).locator("img").first().waitFor();
    // The app is there by now; from here on only the recording is slow.
    await limit(Math.round(replay.bytes / arrival));
    await page.locator(`a[href*="${replay.replay_id}"]:not([aria-hidden])`).click();
    const slider = page.getByRole("slider", { name: "Time", exact: true });
    const isLoading = async () => (await slider.getAttribute("aria-busy")) === "true";
    const reached = async () => Number(await slider.getAttribute("aria-valuemax"));
    const at = async () => Number(await slider.getAttribute("aria-valuenow"));
    const frame = await shown(page);
    await isThere(frame).waitFor();
    assert.equal(await isLoading(), true, "the picture is there before the rest");
    assert.ok((await reached()) < whole, `${await reached()} s`);
    // It plays what is there, by key, while the rest arrives.
    await page.keyboard.press(" ");
    await until("it plays", async () => ((await at()) > 0 ? true : undefined));
    assert.equal(await isLoading(), true, "it plays before the rest is there");
    await page.keyboard.press(" ");
    await limit(-1);
    await until("all of it", async () => ((await isLoading()) ? undefined : true), 120_000);
    assert.equal(await reached(), whole);

    // Every moment shows what the page said then: forwards, backwards, just before and after a picture.
    const { x, y, width, height } = await slider.boundingBox();
    const seek = (second) => page.mouse.click(x + (width * second) / whole, y + height / 2);
    for (const share of [0.5, 0.99, 0.02, 0.75, 0.5001, 0.4999, 0.25, 1]) {
      await seek(share * whole);
      await eventually(async () => look(frame, await at()), expected, `at ${share} of it`);
    }
    // To the last second it plays by itself.
    await seek(whole - 4);
    await page.keyboard.press(" ");
    const play = page.getByRole("button", { name: "Play", exact: true });
    await until("the end", async () => ((await at()) === whole && (await play.isVisible()) ? true : undefined));
    await atEnd(frame);
  });
}
