// How the URL of a frame finds its map, and what is said when it finds none.

import assert from "node:assert/strict";
import { assertAt, topOfOurs } from "./resolved.mjs";
import { sharedServer } from "./server.mjs";
import { Build, places, priceError } from "./shop.mjs";
import { v8Frames } from "./stacks.mjs";
import { before, test } from "./suite.mjs";

const build = new Build("node-a");
const map = build.map("shop.mjs");
let server;
let error;

before(async () => {
  [server, error] = await Promise.all([sharedServer(), priceError(build)]);
});

/** The same error as if its bundle had been loaded from another URL, and perhaps thrown elsewhere. */
function loadedFrom(url, position) {
  const original = v8Frames(error.stack).filter((frame) => build.scriptOf(frame.url) === "shop.mjs");
  assert.equal(original.length, 6);
  const lines = original.map(({ name, line, column }) => {
    const [toLine, toColumn] = position ?? [line, column];
    const place = `${url}:${toLine}:${toColumn}`;
    return name === undefined ? `    at ${place}` : `    at ${name} (${place})`;
  });
  return { ...error, stack: [`${error.type}: ${error.message}`, ...lines].join("\n") };
}

/** Asserts that an error loaded from `frameUrl` resolves, with a map under `mapUrl` and that prefix. */
async function assertResolves(name, { prefix, mapUrl, frameUrl }) {
  const project = await server.project(name);
  await project.release("1.0.0", prefix, [{ url: mapUrl, map }]);
  const event = await project.sendAndRead(loadedFrom(frameUrl), { release: "1.0.0" });
  assertAt(topOfOurs(event), places.price, "RangeError(");
  assert.equal(event.exception.frames[0].url, frameUrl, "the URL is kept as it was sent");
  assert.equal(topOfOurs(event).resolved.matched_without_query, frameUrl.includes("?"), "it is said how it matched");
  return event;
}

/** Asserts that no frame resolves and all give the same rule; returns the first one's reason. */
function assertUnresolved(event, rule) {
  assert.equal(event.exception.frames.length, 6);
  for (const frame of event.exception.frames) {
    assert.equal(frame.resolved, null);
    assert.equal(frame.unresolved?.rule, rule, JSON.stringify(frame.unresolved));
    assert.ok(frame.unresolved.detail.length > 0, "a reason in words");
  }
  return event.exception.frames[0].unresolved;
}

test("the default prefix stands for any scheme and host", async () => {
  await assertResolves("Default prefix", {
    prefix: undefined,
    mapUrl: "~/static/shop.js",
    frameUrl: "https://shop.example/static/shop.js",
  });
});

test("a prefix below the root matches whatever the host is", async () => {
  await assertResolves("Deeper prefix", {
    prefix: "~/static/",
    mapUrl: "~/static/shop.js",
    frameUrl: "http://10.1.2.3:8080/static/shop.js",
  });
});

test("an absolute prefix matches absolute URLs", async () => {
  await assertResolves("Absolute prefix", {
    prefix: "https://cdn.example/v1/",
    mapUrl: "https://cdn.example/v1/shop.js",
    frameUrl: "https://cdn.example/v1/shop.js",
  });
});

test("an empty prefix matches relative URLs", async () => {
  await assertResolves("Empty prefix", { prefix: "", mapUrl: "static/shop.js", frameUrl: "static/shop.js" });
});

test("a query on the frame's URL does not hide the map", async () => {
  await assertResolves("Query", {
    prefix: "~/",
    mapUrl: "~/static/shop.js",
    frameUrl: "https://shop.example/static/shop.js?v=1",
  });
});

test("a map uploaded for the very query is taken before the one without", async () => {
  const project = await server.project("Exact before bare");
  await project.createRelease("1.0.0", "~/");
  const bare = await project.uploadMap({ release: "1.0.0", url: "~/shop.js", map });
  const exact = await project.uploadMap({ release: "1.0.0", url: "~/shop.js?v=2", map });
  await project.finalize("1.0.0");
  const used = async (url) =>
    topOfOurs(await project.sendAndRead(loadedFrom(url), { release: "1.0.0" })).resolved.source_map_id;
  assert.equal(await used("https://shop.example/shop.js?v=2"), exact.id);
  assert.equal(await used("https://shop.example/shop.js?v=3"), bare.id);
  assert.notEqual(exact.id, bare.id);
});

test("an error of a release that only errors name says so and names it", async () => {
  const project = await server.project("Only named");
  await project.release("1.0.0", "~/", [{ url: "~/static/shop.js", map }]);
  const event = await project.sendAndRead(loadedFrom("https://shop.example/static/shop.js"), { release: "9.9.9" });
  assert.match(assertUnresolved(event, "release").detail, /^No source maps: only events name release `9\.9\.9`/);
});

test("an error without a release says that it needs one", async () => {
  const project = await server.project("Release not sent");
  await project.release("1.0.0", "~/", [{ url: "~/static/shop.js", map }]);
  assertUnresolved(await project.sendAndRead(loadedFrom("https://shop.example/static/shop.js")), "release");
});

test("a URL outside the release's prefix says so and names the prefix", async () => {
  const project = await server.project("Other prefix");
  await project.release("1.0.0", "~/static/", [{ url: "~/static/shop.js", map }]);
  const event = await project.sendAndRead(loadedFrom("https://shop.example/other/shop.js"), { release: "1.0.0" });
  assert.ok(assertUnresolved(event, "prefix").detail.includes("~/static/"));
});

test("an absolute prefix does not match another host", async () => {
  const project = await server.project("Other host");
  const prefix = "https://cdn.example/";
  await project.release("1.0.0", prefix, [{ url: `${prefix}shop.js`, map }]);
  const event = await project.sendAndRead(loadedFrom("https://shop.example/shop.js"), { release: "1.0.0" });
  assertUnresolved(event, "prefix");
});

test("a URL that has no map says so and lists the nearest that have one", async () => {
  const project = await server.project("Other file");
  await project.release("1.0.0", "~/", [
    { url: "~/static/shop.js", map },
    { url: "~/static/unlike.js", map },
  ]);
  const event = await project.sendAndRead(loadedFrom("https://shop.example/assets/shop.js"), { release: "1.0.0" });
  const { nearest } = assertUnresolved(event, "url");
  assert.ok(nearest.length > 0, "nearest maps are listed");
  assert.equal(nearest[0].url, "~/static/shop.js", "the most alike comes first");
  assert.equal(nearest[0].release, "1.0.0");
  assert.ok(nearest[0].why.length > 0);
});

test("a map of another release is listed among the nearest", async () => {
  const project = await server.project("Other release");
  await project.release("1.0.0", "~/", [{ url: "~/static/shop.js", map }]);
  await project.release("1.0.1", "~/", []);
  const event = await project.sendAndRead(loadedFrom("https://shop.example/static/shop.js"), { release: "1.0.1" });
  const { nearest } = assertUnresolved(event, "url");
  assert.ok(
    nearest.some(({ url, release }) => url === "~/static/shop.js" && release === "1.0.0"),
    JSON.stringify(nearest),
  );
});

test("a position that the map does not cover says so", async () => {
  const project = await server.project("Other position");
  await project.release("1.0.0", "~/", [{ url: "~/static/shop.js", map }]);
  const stack = loadedFrom("https://shop.example/static/shop.js", [900, 1]);
  assertUnresolved(await project.sendAndRead(stack, { release: "1.0.0" }), "position");
});

test("code that a deployment put before the bundle has no position in the map", async () => {
  const project = await server.project("Banner");
  const withBanner = new Build("node-b");
  assert.equal(withBanner.oracle("shop.mjs").original(1, 5), null);
  await project.release("1.0.0", "~/", [{ url: "~/static/shop.js", map: withBanner.map("shop.mjs") }]);
  const stack = loadedFrom("https://shop.example/static/shop.js", [1, 5]);
  assertUnresolved(await project.sendAndRead(stack, { release: "1.0.0" }), "position");
});
