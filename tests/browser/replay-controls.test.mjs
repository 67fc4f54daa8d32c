// The player's controls: full screen, a link to a moment, inactivity, and marks of clicks that say something went wrong.

import assert from "node:assert/strict";
import { send, shown, story } from "./recorded.mjs";
import { sharedServer, until } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, newContext, openPage } from "./web.mjs";

let server;

before(async () => {
  server = await sharedServer();
});

/** The minute of a page, in which somebody clicks five times at once, and later on something that does nothing. */
function annoyed() {
  const start = Date.now() - 120_000;
  const click = (at, x) => ({ type: 3, timestamp: start + at, data: { source: 2, type: 2, id: 6, x, y: 300 } });
  const quiet = ({ timestamp }) => timestamp <= start + 41_000 || timestamp >= start + 45_000;
  const clicks = [5_260, 5_300, 5_400, 5_500, 5_600].map((at, index) => click(at, 400 + index));
  // Each of these three adds to the page, as somebody means who counts something up.
  const meant = [8_260, 8_300, 8_400].map((at) => click(at, 400));
  return [...story(start).filter(quiet), ...clicks, ...meant, click(41_200, 500)].sort((one, other) => one.timestamp - other.timestamp);
}

test("full screen, a link to the moment, skipped inactivity, and marks of rage and dead clicks", async () => {
  const project = await server.project("Controls");
  const replay = await send(server, project, annoyed());
  const context = await newContext(server, { permissions: ["clipboard-read", "clipboard-write"] });
  const opened = await openPage(server, `/projects/${project.id}/replays/${replay.replay_id}?t=20`, { context });
  try {
    const { page } = opened;
    const slider = page.getByRole("slider", { name: "Time" });
    const at = async () => Number(await slider.getAttribute("aria-valuenow"));
    const frame = await shown(page);
    await eventually(at, 20, "the time of the address");

    const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
    await page.keyboard.press("f");
    await eventually(isFull, true, "full screen");
    await page.keyboard.press("f");
    await eventually(isFull, false, "no full screen");

    const skip = page.getByRole("checkbox", { name: "Skip inactivity" });
    assert.equal(await skip.isChecked(), true, "to begin with");
    await skip.uncheck();
    await skip.check();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    const next = await until("it plays", async () => ((await at()) > 20 ? at() : undefined));
    assert.ok(next >= 30, `nothing was done up to 0:36, and it played ${next}`);
    await page.getByRole("button", { name: "Pause", exact: true }).click();

    await page.getByRole("button", { name: /^Dead click at 0:41: Click without effect/ }).click();
    await eventually(at, 41, "the time of the dead click");
    await page.getByRole("button", { name: /^Rage clicks at 0:05: Repeated clicks and 4 more$/ }).click();
    await eventually(at, 5, "the time of the rage clicks");
    assert.equal(await page.getByRole("button", { name: /^Rage clicks/ }).count(), 1);
    await page.getByRole("button", { name: "Copy link to this moment" }).click();
    const link = await until("the link is copied", () => page.evaluate(async () => (await navigator.clipboard.readText()) || undefined));
    assert.match(link, /\?t=5$/);
    await page.goto(link);
    await eventually(at, 5, "the time of the link");
    await frame.getByText("line 4", { exact: true }).waitFor();
    opened.check();
  } finally {
    await context.close();
  }
});
