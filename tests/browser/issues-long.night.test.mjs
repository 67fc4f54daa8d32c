// Long lists of issues: every row is there, in its place, however one scrolls.

import assert from "node:assert/strict";
import { fill, idsOf } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, holds, onPage } from "./web.mjs";

const count = 600;
let server;
let project;

const list = () => `/projects/${project.id}/issues`;
const rows = (page) => page.locator("[data-issue]");

before(async () => {
  server = await sharedServer();
  project = await server.project("Long");
  await fill(project, count);
});

/** Scrolls by so many pixels in every frame, to the end; what was under the middle of the list in none. */
function scrollThrough(step) {
  const body = document.querySelectorAll('[role="table"] > [role="rowgroup"]')[1];
  const blanks = [];
  let frames = 0;
  return new Promise((done) => {
    const look = () => {
      frames += 1;
      const { left, width, top, bottom } = body.getBoundingClientRect();
      const head = document.querySelector('[role="columnheader"]').closest('[role="row"]').getBoundingClientRect().bottom;
      for (let y = Math.max(top, head, 0) + 4; y < Math.min(bottom, innerHeight) - 4; y += 20) {
        const hit = document.elementFromPoint(left + width / 2, y)?.closest('[role="row"]');
        if (!hit?.dataset.index) blanks.push({ scrollY, y });
      }
      if (innerHeight + scrollY >= document.documentElement.scrollHeight - 1) done({ frames, blanks: blanks.slice(0, 5), blank: blanks.length });
      else {
        scrollBy(0, step);
        requestAnimationFrame(look);
      }
    };
    requestAnimationFrame(look);
  });
}

/** Rows in sight: their places and ids, once nothing of them is being loaded. */
async function inSight(page) {
  await holds(page, () => {
    const near = [...document.querySelectorAll("[data-index]")].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });
    return near.length > 3 && near.every((row) => row.dataset.issue);
  });
  return page.evaluate(() =>
    [...document.querySelectorAll("[data-issue]")]
      .filter((row) => row.getBoundingClientRect().bottom > 0 && row.getBoundingClientRect().top < innerHeight)
      .map((row) => [Number(row.dataset.index), Number(row.dataset.issue)]),
  );
}

for (const step of [250, 500]) {
  test(`scrolling by ${step} px a frame never shows a blank`, async () => {
    await onPage(server, list(), {}, async (page) => {
      await rows(page).first().waitFor();
      const { frames, blank, blanks } = await page.evaluate(scrollThrough, step);
      assert.ok(frames > 20, `${frames} frames`);
      assert.equal(blank, 0, `blank at ${JSON.stringify(blanks)} in ${frames} frames`);
      await inSight(page);
    });
  });
}

test("scrolled through slowly, the list has every issue once and in the server's order", async () => {
  const ids = await idsOf(project);
  assert.equal(ids.length, count);
  await onPage(server, list(), {}, async (page) => {
    const seen = new Map();
    for (;;) {
      for (const [place, id] of await inSight(page)) {
        assert.equal(seen.get(place) ?? id, id, `row ${place}`);
        seen.set(place, id);
      }
      const end = await page.evaluate(() => innerHeight + scrollY >= document.documentElement.scrollHeight - 1);
      if (end) break;
      const before = await page.evaluate(() => scrollY);
      await page.mouse.wheel(0, 700);
      await holds(page, (old) => scrollY > old, before);
    }
    assert.equal(seen.size, count, "every place was seen");
    assert.deepEqual([...seen].sort(([one], [other]) => one - other).map(([, id]) => id), ids);
    await page.keyboard.press("Home");
    await eventually(async () => (await inSight(page))[0]?.[1], ids[0], "the first row");
  });
});

test("jumps land at the right rows, and the keyboard goes on from there", async () => {
  const ids = await idsOf(project);
  await onPage(server, list(), {}, async (page) => {
    for (const share of [0.5, 0.93, 0.2, 1]) {
      await page.evaluate((part) => scrollTo(0, part * document.documentElement.scrollHeight), share);
      for (const [place, id] of await inSight(page)) assert.equal(id, ids[place], `row ${place} after a jump to ${share}`);
    }
    for (let step = 0; step < 30; step += 1) await page.keyboard.press("j");
    const cursor = () => page.locator("[data-cursor]").getAttribute("data-issue");
    await eventually(async () => Number(await cursor()), ids[29], "the row at the cursor");
    const inside = await page.locator("[data-cursor]").evaluate((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    assert.ok(inside, "the row at the cursor is in sight");
  });
});

test("50,000 issues stay of use", async () => {
  const total = 50_000;
  const [template] = (await project.issues()).issues;
  const asked = [];
  const routes = (page) =>
    page.route(/\/api\/v1\/projects\/\d+\/issues\?/, (route) => {
      const { searchParams } = new URL(route.request().url());
      const offset = Number(searchParams.get("offset") ?? 0);
      const limit = Number(searchParams.get("limit") ?? 50);
      asked.push(offset);
      const found = searchParams.get("query") === "is:unresolved one" ? 1 : total;
      const length = Math.max(0, Math.min(limit, found - offset));
      const issues = Array.from({ length }, (_, at) => ({ ...template, id: offset + at + 1, short_id: `LONG-${offset + at + 1}`, title: `Error: issue ${offset + at}` }));
      return route.fulfill({ json: { issues, total: found, limit, offset, has_more: offset + length < found } });
    });
  await onPage(server, list(), { routes }, async (page) => {
    await page.getByText("50,000 issues", { exact: true }).waitFor();
    for (const share of [1, 0.5, 0.01, 1]) {
      await page.evaluate((part) => scrollTo(0, part * document.documentElement.scrollHeight), share);
      for (const [place, id] of await inSight(page)) assert.equal(id, place + 1);
    }
    await page.getByText(`Error: issue ${total - 1}`, { exact: true }).waitFor();
    assert.ok((await page.locator("[data-index]").count()) < 100, "only rows near those in sight are in the document");
    assert.ok(asked.length < 40, `${asked.length} requests`);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 issue selected").waitFor();
    await page.getByRole("button", { name: "Select the first 1,000 issues" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("one");
    await page.keyboard.press("Enter");
    await page.getByText("1 issue", { exact: true }).waitFor();
    await eventually(() => page.evaluate(() => scrollY), 0, "the top of the page");
  });
});
