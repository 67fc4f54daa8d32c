// What stands in for an answer that takes a while has the shape of what comes, so that nothing moves.

import assert from "node:assert/strict";
import { fill } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { heldBack, onPage } from "./web.mjs";

let server;
let project;

before(async () => {
  server = await sharedServer();
  project = await server.project("Slow");
  await fill(project, 6);
  for (let patch = 0; patch < 6; patch += 1) await project.createRelease(`1.4.${patch}`);
});

/** Where the list's head and its first rows are, and where their texts begin. */
function places() {
  const boxes = (name) =>
    [...document.querySelectorAll(`main [class*="_${name}_"]`)]
      .map((element) => element.getBoundingClientRect())
      .filter(({ height }) => height > 0)
      .slice(0, 6)
      .map(({ left, top, width, height }) => [left, top, width, height].map(Math.round));
  return { heads: boxes("head"), rows: boxes("row"), texts: ["title", "name"].flatMap(boxes).map(([left]) => left) };
}

for (const [name, path, asked] of [
  ["issues", "issues", /\/projects\/\d+\/issues\?.*limit=50/],
  ["releases", "releases", /\/projects\/\d+\/releases\?/],
]) {
  for (const width of [1440, 390]) {
    test(`while ${name} load, their rows are there without their text, and nothing moves when it comes: ${width} px`, async () => {
      let held;
      const routes = async (page) => (held = await heldBack(page, asked));
      await onPage(server, `/projects/${project.id}/${path}`, { width, routes, wait: false }, async (page) => {
        await page.locator('main [aria-busy="true"] [class*="Skeleton"]').filter({ visible: true }).nth(20).waitFor();
        const expected = await page.evaluate(places);
        held.go();
        await page.locator("main [data-index]").nth(5).waitFor();
        assert.equal(expected.rows.length, 6);
        assert.deepEqual(await page.evaluate(places), expected);
      });
    });
  }
}
