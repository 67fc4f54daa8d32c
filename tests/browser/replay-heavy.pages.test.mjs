// Pages that are too large to be recorded as a whole again and again: the recorder must not stop them.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { eventsOf, recording, replaysOf, site, visit, withClient } from "./recorded.mjs";
import { sharedServer, until } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { onPage } from "./web.mjs";

let server;
let shop;

before(async () => {
  server = await sharedServer();
  shop = await site(server);
});
after(() => shop?.close());

/** How long the page is watched: three pictures would be taken if each one asked for the next. */
const watched = 25_000;

/** A page of 25,000 rows with so many characters each, which notes what its pictures take, in milliseconds. */
const heavy = (project, characters, mode) =>
  `<script nonce="page">
    window.pictures = [];
    const stringify = JSON.stringify;
    let begun = 0;
    JSON.stringify = (value, ...more) => {
      if (value?.type === 4) begun = performance.now();
      const text = stringify(value, ...more);
      // One in parts is written down twice.
      if (begun && value?.type === 2 && value.data?.node) {
        pictures.push(Math.round(performance.now() - begun));
        begun = 0;
      }
      return text;
    };
  </script>` +
  withClient(
    server,
    project,
    `data-replay="${mode}"`,
    `<h1>Orders</h1><button id="fail">Pay</button><div id="rows"></div>
    <script nonce="page">
      for (let each = 0; each < 25_000; each += 1) {
        const row = document.createElement("p");
        row.textContent = "Order " + each + " " + "x".repeat(${characters});
        rows.append(row);
      }
      let count = 0;
      setInterval(() => { document.querySelector("h1").textContent = "Orders " + (count += 1); }, 250);
      fail.onclick = () => setTimeout(() => { throw new TypeError("no price"); });
    </script>`,
  );

const picturesOf = (page) => page.evaluate(() => window.pictures);

test("a page with no room in the buffer is recorded as a whole once, and again when it is smaller", async () => {
  const project = await server.project("heavy");
  shop.pages["/heavy"] = heavy(project, 250, "error");
  const look = async (page) => {
    await recording(page);
    await pause(watched);
    const pictures = await picturesOf(page);
    console.info(`25,000 rows, around errors: pictures of ${pictures.join(", ")} ms in ${watched / 1_000} s`);
    assert.equal(pictures.length, 1);
    await page.evaluate(() => document.querySelector("#rows").replaceChildren());
    await until("the smaller page is recorded", async () => ((await picturesOf(page)).length === 2 ? true : undefined));
    const thrown = page.waitForEvent("pageerror");
    await page.click("#fail");
    await thrown;
    await replaysOf(server, project, 1, ({ error_count }) => error_count === 1);
  };
  await visit(`${shop.origin}/heavy`, look);
  const [replay] = await replaysOf(server, project);
  const kinds = (await eventsOf(server, project, replay)).map(({ type, data }) => data.tag ?? type);
  assert.equal(kinds[0], 4);
  assert.ok(kinds.includes(2) && kinds.includes("mayday.error"), `${kinds}`);
});

/** Looks at such a page until `isDone`, and for a while longer; what the recorder was answered, and what it says. */
async function watch(project, characters, isDone) {
  shop.pages["/too-heavy"] = heavy(project, characters, "always");
  const statuses = [];
  let state;
  const look = async (page) => {
    page.on("response", (response) => response.url().includes("/replays/chunk?") && statuses.push(response.status()));
    await until("the picture is sent, or not", () => isDone(page));
    await pause(watched);
    const pictures = await picturesOf(page);
    console.info(`25,000 rows of ${characters}: ${statuses.join(", ")} for pictures of ${pictures.join(", ")} ms`);
    assert.equal(pictures.length, 1);
    state = await stateOf(page);
  };
  await visit(`${shop.origin}/too-heavy`, look);
  return { statuses, state };
}

const stateOf = (page) => page.evaluate(() => window.mayday.replay().then(({ state }) => state));

test("a picture that is larger than an event may be is sent in parts", async () => {
  const project = await server.project("in parts");
  const arrived = async () => {
    const { replays } = await server.request(`/api/v1/projects/${project.id}/replays`);
    return replays[0]?.chunks > 0 ? true : undefined;
  };
  const { statuses, state } = await watch(project, 700, arrived);
  assert.deepEqual([...new Set(statuses), state], [202, "recording"]);
  const [replay] = await replaysOf(server, project);
  const pieces = (await eventsOf(server, project, replay)).filter(({ data }) => data.continues);
  assert.ok(pieces.length > 5, `${pieces.length} more parts`);
});

test("a picture that is larger than what is sent in parts is not sent, and the player says so", async () => {
  const project = await server.project("too heavy");
  const ended = async (page) => ((await stateOf(page)) === "off" ? true : undefined);
  const { statuses, state } = await watch(project, 2_000, ended);
  assert.deepEqual([statuses.filter((status) => status !== 202), state], [[], "off"]);
  const [replay] = await replaysOf(server, project, 1, ({ is_complete }) => is_complete);
  // The browser says so of Playwright itself, as it looks into a frame without scripts whose document is new.
  const allow = [/^Blocked script execution/];
  await onPage(server, `/projects/${project.id}/replays/${replay.replay_id}`, { allow }, async (page) => {
    await page.getByText("The page was too large to be recorded.").waitFor();
    await page.getByText(/^Recording ended at \d+:\d\d: the page was too large to be sent\.$/).waitFor();
  });
});
