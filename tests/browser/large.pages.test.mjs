// A source map of the size that big applications have.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { buildBig, throwing } from "../fixtures/app/big.mjs";
import { assertAt, topOfOurs } from "./resolved.mjs";
import { sharedServer } from "./server.mjs";
import { thrownIn } from "./shop.mjs";
import { v8Frames } from "./stacks.mjs";
import { before, test } from "./suite.mjs";

let server;

before(async () => {
  server = await sharedServer();
});

test("a map of over 10 MB is taken and an error deep inside its bundle is resolved", async () => {
  const { script, map } = await buildBig();
  const mapSize = statSync(map).size;
  assert.ok(mapSize >= 10 * 1024 * 1024, `the map has ${mapSize} bytes`);

  const project = await server.project("Large");
  const url = `~${pathToFileURL(script).pathname}`;
  await project.createRelease("1.0.0", "~/");
  const uploadStart = performance.now();
  const record = await project.uploadMap({ release: "1.0.0", url, map: readFileSync(map) });
  const uploadMs = performance.now() - uploadStart;
  assert.equal(record.file_size, mapSize);
  await project.finalize("1.0.0");

  const error = await thrownIn(script, "total", -1);
  assert.equal(error.message, throwing.message);
  assert.ok(v8Frames(error.stack)[0].column > 1_000_000, "the error lies deep inside the bundle");
  const readStart = performance.now();
  const event = await project.sendAndRead(error, { release: "1.0.0" });
  const readMs = performance.now() - readStart;

  const place = { file: `src/m${throwing.module}.ts`, marker: "throws here", function: throwing.function };
  assertAt(topOfOurs(event), place, "RangeError(", dirname(dirname(map)));
  console.info(`bundle ${statSync(script).size} bytes, map ${mapSize} bytes`);
  console.info(`uploaded in ${Math.round(uploadMs)} ms, first error readable after ${Math.round(readMs)} ms`);
});
