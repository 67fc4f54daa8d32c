// A page whose picture is larger than a request: recorded in parts, and watched as one.

import assert from "node:assert/strict";
import { eventsOf, goTo, replaysOf, shown, site, visit, withClient } from "./recorded.mjs";
import { sharedServer } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, onPage } from "./web.mjs";

let server;
let shop;

before(async () => {
  server = await sharedServer();
  shop = await site(server);
});
after(() => shop?.close());

/** What the browser says of Playwright itself, as it looks into a frame without scripts whose document is new. */
const looking = /^Blocked script execution/;
/** Rows of the page, and characters of each: seven million in all, of which a part has three. */
const rows = 700;
const characters = 10_000;

const page = (project) =>
  withClient(
    server,
    project,
    "",
    `<h1>Orders</h1><ul id="orders"></ul><p data-mayday-mask>Ada</p><div id="shadowed"></div>
    <style nonce="page">li { height: 1.2em; overflow: hidden }</style><footer>That was all</footer>
    <script nonce="page">
      const row = (words) => {
        const item = document.createElement("li");
        item.textContent = words;
        return item;
      };
      orders.append(...Array.from({ length: ${rows} }, (_, each) => row("Order " + each + " " + "x".repeat(${characters}))));
      shadowed.attachShadow({ mode: "open" }).append(row("in the shadow"));
      window.sell = () => {
        orders.firstElementChild.remove();
        orders.append(row("The newest order"));
      };
    </script>`,
  );

test("a page that is larger than a request is recorded in parts, and shown whole from the first moment on", async () => {
  const project = await server.project("Parts");
  shop.pages["/orders"] = page(project);
  const look = async (recorded, { problems }) => {
    await recorded.evaluate(() => window.mayday.startReplay());
    await replaysOf(server, project, 1, ({ chunks }) => chunks > 0);
    await recorded.evaluate(() => window.sell());
    await recorded.evaluate(() => window.mayday.stopReplay());
    await replaysOf(server, project, 1, ({ is_complete }) => is_complete);
    assert.deepEqual(problems, []);
  };
  await visit(`${shop.origin}/orders`, look);
  const [replay] = await replaysOf(server, project);
  const events = await eventsOf(server, project, replay);
  const [picture, ...others] = events.filter(({ type, data }) => type === 2 || data.continues);
  assert.equal(picture.type, 2);
  assert.ok(others.length >= 2, `${others.length} more parts`);
  for (const { timestamp, data } of others) assert.deepEqual([timestamp, data.source], [picture.timestamp, 0]);
  assert.ok(!JSON.stringify(others).includes("Ada"), "what is masked is masked in every part");
  await onPage(server, `/projects/${project.id}/replays/${replay.replay_id}`, { allow: [looking] }, async (player) => {
    const frame = await shown(player);
    const seen = async () => [
      await frame.locator("li").count(),
      (await frame.locator("#orders li").first().textContent()).slice(0, 8),
      (await frame.locator("#orders li").last().textContent()).slice(0, 12),
      await frame.locator("#shadowed li").textContent(),
      await frame.locator("footer").textContent(),
    ];
    const rest = ["in the shadow", "That was all"];
    await eventually(seen, [rows + 1, "Order 0 ", `Order ${rows - 1} xx`, ...rest], "the page as it was");
    await goTo(player, 3_600);
    await eventually(seen, [rows + 1, "Order 1 ", "The newest o", ...rest], "the page at the end");
    assert.equal(await player.getByText("never arrived").count(), 0);
  });
});
