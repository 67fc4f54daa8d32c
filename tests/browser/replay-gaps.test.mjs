// A replay that lacks its beginning and a part in between: what is there is shown, and what is missing is said.

import assert from "node:assert/strict";
import { goTo, replaysOf, shown, story } from "./recorded.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { onPage, pictures } from "./web.mjs";

let server;

before(async () => {
  server = await sharedServer();
});

test("a replay of which parts never came is shown from its first picture on, and says what is missing or removed", async () => {
  test.setTimeout(120_000);
  const project = await server.project("headless");
  const events = story();
  // Its other parts: the picture comes with the second of them.
  const part = (chunk_index, total_chunks, some) => {
    const body = { api_key: project.key, session_id: "s", window_id: "w", chunk_index, total_chunks, events: some };
    return server.post("/api/v1/replays/chunk", body, { token: null, expect: 202 });
  };
  await part(1, null, events.slice(10, 12));
  const watch = (words, act) => async () => {
    const [{ replay_id: id }] = await replaysOf(server, project);
    await onPage(server, `/projects/${project.id}/replays/${id}`, {}, async (page) => {
      await page.getByText(words).waitFor();
      await act(page);
    });
  };
  await watch("The recording has no picture of the page: its beginning has not arrived.", () => undefined)();
  const card = { type: 3, timestamp: events[20].timestamp, data: { source: 0, texts: [{ id: 7, value: "Card 4111 1111 1111 1111" }], attributes: [], removes: [], adds: [] } };
  const slow = { type: 5, timestamp: card.timestamp, data: { tag: "mayday.network", payload: { method: "GET", url: "/slow", status: 200, duration: 4_000 } } };
  await part(2, 3, [...events.slice(0, 20), slow, card]);
  await part(4, 5, events.slice(45));
  await replaysOf(server, project, 1, ({ chunks }) => chunks === 3);
  // While it is live, what is missing is waited for, but not for ever.
  const after = (event) => event.timestamp - events[10].timestamp;
  const seconds = Math.round((after(events[45]) - after(card)) / 1_000);
  await watch("1 value removed as a secret", async (page) => {
    await page.getByText("Part 1 never arrived: the beginning is missing.").waitFor();
    await page.getByText(`Part 4 never arrived: ${seconds} s are missing at 0:${String(Math.floor(after(card) / 1_000)).padStart(2, "0")}.`).waitFor();
    assert.equal(await page.getByRole("slider", { name: "Time" }).locator("[data-gap]").count(), 2);
    // A request is as long as it took.
    const width = Number(await page.locator('[data-lane="network"] rect').getAttribute("width"));
    assert.ok(width > 10 && width < 40, `${width} of 240 places for 4 s of a minute`);
    await pictures(page, "replay-gaps");
    await goTo(page, 59);
    const frame = await shown(page);
    await frame.getByText("Card [Filtered]").waitFor();
    await frame.getByText("line 59").waitFor();
  })();
});
