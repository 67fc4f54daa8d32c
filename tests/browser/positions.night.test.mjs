// Many positions of real maps, each looked up by the server and by an independent reader.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { decodedMappings } from "@jridgewell/trace-mapping";
import { buildBig } from "../fixtures/app/big.mjs";
import { sharedServer } from "./server.mjs";
import { Build } from "./shop.mjs";
import { Oracle } from "./stacks.mjs";
import { before, test } from "./suite.mjs";

/** Frames an event: under the 250 that are kept. */
const framesEach = 240;
const samplesEach = 4 * framesEach;

/** How many characters of a line the server shows. */
const lineLimit = 400;

let server;

before(async () => {
  server = await sharedServer();
});

/** Positions spread over a map: where segments begin, right after, right before, and beyond the line. */
function positionsOf(oracle) {
  const starts = decodedMappings(oracle.map).flatMap((segments, line) =>
    segments.map(([column]) => ({ line: line + 1, column: column + 1 })),
  );
  const step = Math.max(1, Math.floor((starts.length * 3) / samplesEach));
  const chosen = starts.filter((_, index) => index % step === 0);
  const positions = chosen.flatMap(({ line, column }) => [
    { line, column },
    { line, column: column + 1 },
    { line, column: Math.max(1, column - 1) },
  ]);
  const last = starts.at(-1);
  positions.push({ line: last.line, column: last.column + 5_000 }, { line: last.line + 1, column: 1 }, { line: 1, column: 1 });
  return positions;
}

/** Sends stacks made of the positions and compares every frame with what the oracle says. */
async function compareAll(project, release, frameUrl, oracle) {
  const positions = positionsOf(oracle);
  let resolved = 0;
  for (let from = 0; from < positions.length; from += framesEach) {
    const some = positions.slice(from, from + framesEach);
    const lines = some.map(({ line, column }) => `    at f (${frameUrl}:${line}:${column})`);
    const stack = ["Error: positions", ...lines].join("\n");
    const event = await project.sendAndRead({ type: "Error", message: "positions", stack }, { release });
    assert.equal(event.exception.frames.length, some.length);
    for (const [index, { line, column }] of some.entries()) {
      const frame = event.exception.frames[index];
      const where = `${frameUrl}:${line}:${column}`;
      const wanted = oracle.originals(line, column);
      if (wanted.length === 0) {
        assert.equal(frame.resolved, null, where);
        assert.equal(frame.unresolved.rule, "position", where);
        continue;
      }
      resolved += 1;
      const got = frame.resolved;
      assert.ok(got, `${where}: ${JSON.stringify(frame.unresolved)}`);
      const same = wanted.find((place) => place.line === got.line && place.column === got.column) ?? wanted[0];
      const { lines: text, ...place } = same;
      assert.deepEqual({ file: got.file, line: got.line, column: got.column }, place, where);
      // Of a source that is minified itself, the part of its endless line around the column.
      const whole = text[place.line - 1];
      const shown = whole.slice(got.context_start, got.context_start + got.context_line.length);
      assert.ok(got.context_line === shown, `${where}: ${got.context_line} is not ${shown}`);
      assert.ok(shown.length === Math.min(whole.length, lineLimit), `${where}: ${shown.length} of ${whole.length}`);
      const at = got.column - 1 - got.context_start;
      assert.ok(at >= 0 && at <= shown.length, `${where}: column ${got.column} is not in what is shown`);
    }
  }
  return { asked: positions.length, resolved };
}

for (const name of ["browser-a", "browser-b", "node-a", "node-b"]) {
  test(`positions all over ${name} lead where an independent reader of its maps says`, async () => {
    const build = new Build(name);
    const project = await server.project(name);
    await project.release("1.0.0", "~/", build.maps("~/"));
    for (const script of build.scripts) {
      const url = `https://shop.example/${script}`;
      const { asked, resolved } = await compareAll(project, "1.0.0", url, build.oracle(script));
      assert.ok(resolved > asked / 2, `${script}: ${resolved} of ${asked} have an original`);
      console.info(`${script}: ${resolved} of ${asked} positions have an original`);
    }
  });
}

test("positions all over a large map lead where an independent reader of it says", async () => {
  const { map } = await buildBig();
  const project = await server.project("Large");
  await project.release("1.0.0", "~/", [{ url: "~/big.js", map: readFileSync(map) }]);
  const { asked, resolved } = await compareAll(project, "1.0.0", "https://shop.example/big.js", new Oracle(map));
  assert.ok(resolved > asked / 2);
  console.info(`${resolved} of ${asked} positions have an original`);
});
