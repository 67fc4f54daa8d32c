// A real application, built and minified: somebody shops in it, it throws, and the player shows what was on the page.

import assert from "node:assert/strict";
import { recording, replaysOf, shown, visit } from "./recorded.mjs";
import { sharedServer } from "./server.mjs";
import { shopSite } from "./shop-site.mjs";
import { before, test } from "./suite.mjs";
import { eventually, onPage } from "./web.mjs";

let server;

before(async () => {
  server = await sharedServer();
});

/** Everything of the page that a person sees, and how it is built. Runs in the page, and in the player's copy of it. */
function seen() {
  const told = (element) => {
    const { tagName, childNodes, id } = element;
    const parts = [...childNodes].filter(({ nodeType, data }) => nodeType === 1 || (nodeType === 3 && data !== ""));
    return [tagName.toLowerCase() + (id && `#${id}`), ...parts.map((each) => (each.nodeType === 3 ? each.data : told(each)))];
  };
  const { color, fontSize, display } = getComputedStyle(document.querySelector("#shop h1"));
  return { at: Date.now(), page: told(document.querySelector("#shop")), style: { color, fontSize, display } };
}

test("what the player shows of the shop at each moment is what was on the page then", async () => {
  const project = await server.project("real shop");
  const tag = `<script src="${server.origin}/client.js" data-key="${project.key}" data-release="1.0.0" data-replay="error" crossorigin async></script>`;
  const site = await shopSite("browser-a", tag);
  try {
    await project.release("1.0.0", `${site.origin}/`, site.build.maps(`${site.origin}/`));
    /** What was on the page, and when, as the page's own clock says. */
    const moments = [];
    let replay;
    const shopping = async (page) => {
      await recording(page);
      await page.locator("#cart").waitFor();
      const note = async () => {
        // The recorder hears of a change before the next frame; then nothing happens for a while.
        await page.waitForTimeout(150);
        moments.push(await page.evaluate(seen));
        await page.waitForTimeout(250);
      };
      await note();
      for (const button of await page.locator("[data-sku]").all()) {
        await button.click();
        await note();
      }
      await page.locator('[data-sku="TEA-01"]').click();
      await note();
      const thrown = page.waitForEvent("pageerror");
      await page.click("#pay-unknown");
      await thrown;
      await note();
      await page.click("#pay");
      await note();
      await page.evaluate(() => window.mayday.stopReplay());
      await page.evaluate(() => window.mayday.flush());
    };
    const arrives = async () => {
      [replay] = await replaysOf(server, project, 1, ({ is_complete, error_count }) => is_complete && error_count > 0);
    };
    await visit(site.origin, shopping, { arrives });
    const texts = moments.map(({ page }) => JSON.stringify(page));
    assert.ok(new Set(texts).size >= 4, "the page looked different each time");

    const { issues } = await project.issuesOf(1);
    assert.match(issues[0].title, /XBT|rate/);
    await onPage(server, `/projects/${project.id}/issues/${issues[0].id}`, { allow: [/^Blocked script execution/] }, async (page) => {
      // The error is read at its source, and watched.
      await page.getByText("src/price.ts").first().waitFor();
      await page.getByRole("link", { name: "Watch what happened" }).click();
      await page.waitForURL(new RegExp(replay.replay_id));
      const { at: failed } = moments.at(-2);
      for (const { at, page: expected, style } of moments) {
        const seconds = (at - replay.start_timestamp) / 1_000;
        await page.goto(`${server.origin}/projects/${project.id}/replays/${replay.replay_id}?t=${seconds}`);
        const frame = await shown(page);
        await frame.locator("#cart").waitFor();
        await page.locator('button[aria-label="Play"]:enabled').waitFor();
        const look = () => frame.locator("html").evaluate(seen).then((told) => ({ page: told.page, style: told.style }));
        await eventually(look, { page: expected, style }, `${at - failed} ms after the error`);
      }
      await page.getByRole("button", { name: /^Error at .*XBT/ }).waitFor();
    });
  } finally {
    await site.close();
  }
});
