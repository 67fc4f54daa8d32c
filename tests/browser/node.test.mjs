// Errors thrown in Node by a minified bundle, posted raw, read with their original source.

import assert from "node:assert/strict";
import { assertAt, topOfOurs } from "./resolved.mjs";
import { sharedServer } from "./server.mjs";
import { Build, places, priceError, voucherError } from "./shop.mjs";
import { v8Frames } from "./stacks.mjs";
import { before, test } from "./suite.mjs";

const build = new Build("node-a");
const version = "node@1.0.0";
let server;
let project;

before(async () => {
  server = await sharedServer();
  project = await server.project("Shop in Node");
  const release = await project.release(version, build.nodePrefix, build.maps(build.nodePrefix));
  assert.equal(release.source_map_count, build.scripts.length);
});

test("an error thrown in Node leads to the function, file, line, column and source that threw", async () => {
  const error = await priceError(build);
  assert.equal(error.type, "RangeError");
  const event = await project.sendAndRead(error, { release: version });
  assert.equal(event.release, version);
  // Oxc drops the `new` before a built-in error, so its map begins at the class.
  assertAt(topOfOurs(event), places.price, "RangeError(");
});

test("an error of a class of the application's own, thrown in a chunk loaded on demand, resolves", async () => {
  const error = await voucherError(build);
  assert.equal(error.type, "VoucherError");
  const event = await project.sendAndRead(error, { release: version });
  assert.equal(event.exception.type, "VoucherError");
  assertAt(topOfOurs(event), places.voucher, "new VoucherError(");
});

test("every frame of the bundle resolves to where an independent reader of the map says", async () => {
  const error = await priceError(build);
  const event = await project.sendAndRead(error, { release: version });
  const sent = v8Frames(error.stack);
  const frames = event.exception.frames;
  assert.equal(frames.length, sent.length);

  let compared = 0;
  for (const [index, frame] of frames.entries()) {
    const script = build.scriptOf(sent[index].url);
    if (script === undefined) continue;
    const { file, line, column, lines } = build.oracle(script).original(sent[index].line, sent[index].column);
    const got = frame.resolved;
    assert.ok(got, `frame ${index} is not resolved: ${JSON.stringify(frame.unresolved)}`);
    assert.deepEqual({ file: got.file, line: got.line, column: got.column }, { file, line, column }, `frame ${index}`);
    assert.equal(got.context_line, lines[line - 1], `frame ${index}`);
    assert.deepEqual(got.pre_context, lines.slice(Math.max(0, line - 6), line - 1), `frame ${index}`);
    assert.deepEqual(got.post_context, lines.slice(line, line + 5), `frame ${index}`);
    compared += 1;
  }
  assert.equal(compared, 6);
});

test("named functions carry the names of the source, not those of the bundle", async () => {
  const event = await project.sendAndRead(await priceError(build), { release: version });
  const names = event.exception.frames.filter((frame) => frame.resolved).map((frame) => frame.resolved.function);
  assert.equal(names[0], "priceOf");
  assert.equal(names[1], "totalOf");
  assert.equal(names[4], "checkout");
  assert.equal(names[5], "order");
});

test("a frame of a dependency between two of ours is not in-app", async () => {
  const event = await project.sendAndRead(await priceError(build), { release: version });
  const bundled = event.exception.frames.filter((frame) => frame.resolved);
  assert.deepEqual(
    bundled.map((frame) => [frame.resolved.file, frame.in_app]),
    [
      ["src/price.ts", true],
      ["src/price.ts", true],
      ["src/cart.ts", true],
      ["node_modules/immer/dist/immer.mjs", false],
      ["src/cart.ts", true],
      ["src/node.ts", true],
    ],
  );
});

test("the stack and its frames are kept as they were sent beside what they resolve to", async () => {
  const error = await priceError(build);
  const event = await project.sendAndRead(error, { release: version });
  assert.equal(event.exception.stack, error.stack);
  assert.equal(event.exception.message, error.message);
  const sent = v8Frames(error.stack);
  assert.deepEqual(
    event.exception.frames.map(({ url, line, column }) => ({ url, line, column })),
    sent.map(({ url, line, column }) => ({ url, line, column })),
  );
  assert.equal(event.exception.frames[0].function, sent[0].name);
});
