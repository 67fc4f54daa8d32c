// Replays of ten minutes and of an hour: they begin before all of them is there, and every moment shows what it should.
// Nothing here measures time: what counts is what has arrived by then.

import assert from "node:assert/strict";
import { watchLong } from "./long-player.mjs";
import { clockAt, newestAt, sendLong, wordsOf } from "./long-replay.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually } from "./web.mjs";

let server;

before(async () => {
  server = await sharedServer();
});

for (const minutes of [10, 60]) {
  test(`a replay of ${minutes} minutes begins before it is all there, plays, and shows each moment as it was`, async () => {
    const project = await server.project(`${minutes} minutes`);
    const { replay: other } = await sendLong(server, project, 1);
    const { replay } = await sendLong(server, project, minutes);
    const whole = minutes * 60;
    assert.equal(Math.round(replay.duration_ms / 1_000), whole);
    await watchLong(server, project, { replay, other }, {
      isThere: (frame) => frame.getByText("second", { exact: false }).first(),
      look: shows,
      expected: { isNear: true, rows: 200, isNewest: true, isWhole: true },
      atEnd: (frame) => eventually(() => frame.locator("h1").innerText(), clockAt(whole - 1), "the last second"),
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
