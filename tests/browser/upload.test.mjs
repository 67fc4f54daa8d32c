// Uploading releases and maps as multipart forms, from Node and from a real browser.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { sharedBrowser } from "./chromium.mjs";
import { assertAt, topOfOurs } from "./resolved.mjs";
import { until, sharedServer } from "./server.mjs";
import { Build, places, priceError } from "./shop.mjs";
import { before, test } from "./suite.mjs";

const build = new Build("node-a");
const map = build.map("shop.mjs");
let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([sharedServer(), sharedBrowser()]);
});

const hashOf = (bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Asserts that a record tells of the very bytes that were sent. */
function assertRecord(record, url) {
  assert.ok(Number.isInteger(record.id));
  assert.equal(record.url, url);
  assert.equal(record.content_hash, hashOf(map));
  assert.equal(record.file_size, map.length);
  assert.equal(typeof record.storage_path, "string");
  assert.ok(!Number.isNaN(Date.parse(record.created_at)));
  assert.match(record.created_at, /Z$/);
}

test("a map sent with fetch, FormData and a File from Node is stored byte for byte", async () => {
  const project = await server.project("Node's FormData");
  await project.createRelease("1.0.0", "~/");
  assertRecord(await project.uploadMap({ release: "1.0.0", url: "~/shop.js", map }), "~/shop.js");
});

test("a map sent with FormData and a Blob from a page in Chromium is stored byte for byte and used", async () => {
  const project = await server.project("Chromium's FormData");
  const error = await priceError(build);
  const url = `${build.nodePrefix}shop.mjs`;
  const page = await browser.newPage();
  try {
    await page.goto(server.origin);
    const answers = await page.evaluate(
      async ({ key, text, url }) => {
        const post = async (path, fields) => {
          const body = new FormData();
          for (const [name, ...value] of fields) body.append(name, ...value);
          const response = await fetch(path, { method: "POST", headers: { Authorization: `Bearer ${key}` }, body });
          return { status: response.status, body: await response.json() };
        };
        const release = await post("/api/v1/releases", [["version", "1.0.0"], ["url_prefix", "~/"]]);
        const sourcemap = new Blob([text], { type: "application/json" });
        // A name that has to be escaped in the form's header.
        const name = 'shöp "1".mjs.map';
        const stored = await post("/api/v1/sourcemaps", [["release", "1.0.0"], ["url", url], ["sourcemap", sourcemap, name]]);
        const finalized = await post("/api/v1/releases/1.0.0/finalize", []);
        return { release, stored, finalized };
      },
      { key: project.key, text: map.toString("utf8"), url },
    );
    assert.equal(answers.release.status, 201, JSON.stringify(answers.release));
    assert.equal(answers.stored.status, 201, JSON.stringify(answers.stored));
    assertRecord(answers.stored.body, url);
    assert.equal(answers.finalized.status, 200);
    assert.equal(answers.finalized.body.source_map_count, 1);
  } finally {
    await page.close();
  }
  const event = await project.sendAndRead(error, { release: "1.0.0" });
  assertAt(topOfOurs(event), places.price, "RangeError(");
});

test("creating a release again answers 200 with the one there is", async () => {
  const project = await server.project("Twice");
  const made = await project.createRelease("1.0.0", "~/");
  const again = await project.createRelease("1.0.0", "~/", 200);
  assert.deepEqual(again, made);
  assert.equal(made.version, "1.0.0");
  assert.equal(made.url_prefix, "~/");
  assert.equal(made.finalized_at, null);
  assert.equal(made.source_map_count, 0);
});

test("the same bytes again answer 200 with the stored record", async () => {
  const project = await server.project("Same bytes");
  await project.createRelease("1.0.0", "~/");
  const first = await project.uploadMap({ release: "1.0.0", url: "~/shop.js", map });
  const second = await project.uploadMap({ release: "1.0.0", url: "~/shop.js", map, expect: 200 });
  assert.equal(second.id, first.id);
  assert.equal(second.content_hash, first.content_hash);
});

test("a finalized release keeps its maps and still takes new ones", async () => {
  const project = await server.project("Finalized");
  const { finalized_at: finalizedAt } = await project.release("1.0.0", "~/", [{ url: "~/shop.js", map }]);
  const other = new Build("node-b").map("shop.mjs");
  await project.uploadMap({ release: "1.0.0", url: "~/shop.js", map: other, expect: 409 });
  await project.uploadMap({ release: "1.0.0", url: "~/late.js", map: other });
  const again = await project.finalize("1.0.0");
  assert.equal(again.finalized_at, finalizedAt, "finalizing twice changes nothing");
  assert.equal(again.source_map_count, 2);
});

test("an upload to a version that does not exist creates the release", async () => {
  const project = await server.project("By upload");
  await project.uploadMap({ release: "2.0.0", url: "~/shop.js", map });
  const release = await server.request(`/api/v1/projects/${project.id}/releases/2.0.0`);
  assert.equal(release.version, "2.0.0");
  assert.equal(release.source_map_count, 1);
});

test("what is not a source map is refused with words about where", async () => {
  const project = await server.project("Not a map");
  await project.createRelease("1.0.0", "~/");
  const answer = await project.uploadMap({ release: "1.0.0", url: "~/shop.js", map: "{\n  broken", expect: 422 });
  assert.match(answer.detail, /line|column|position|offset/i);
});

test("maps that arrive after the error resolve it without a new event", async () => {
  const project = await server.project("Late maps");
  const id = await project.send(await priceError(build), { release: "1.0.0" });
  const early = await project.event(id);
  assert.equal(topOfOurs(early).resolved, null);
  await project.release("1.0.0", build.nodePrefix, build.maps(build.nodePrefix));
  const late = await until("the event is resolved", async () => {
    const event = await project.event(id);
    return topOfOurs(event).resolved ? event : undefined;
  });
  assertAt(topOfOurs(late), places.price, "RangeError(");
  assert.equal(late.issue_id, early.issue_id, "the issue stays as it is");
});
