// What every test asks of a resolved frame.

import assert from "node:assert/strict";
import { marked } from "./shop.mjs";

/** The first frame of our own code, the nearest to the throw. */
export function topOfOurs(event) {
  const frame = event.exception.frames.find((candidate) => candidate.in_app);
  assert.ok(frame, `no in-app frame in ${JSON.stringify(event.exception.frames, null, 1)}`);
  return frame;
}

/**
 * Asserts that a frame leads to a marked line of the fixture: file, function, line, the column of
 * `at` in that line, the line itself and the five lines on each side.
 */
export function assertAt(frame, place, at, folder) {
  const source = marked(place.file, place.marker, folder);
  assert.notEqual(frame.resolved, null, `not resolved: ${JSON.stringify(frame.unresolved)}`);
  assert.equal(frame.unresolved, null);
  const column = source.text.indexOf(at) + 1;
  assert.notEqual(column, 0, `no "${at}" in the marked line`);
  const { file, line, function: name, column: gotColumn, context_line, pre_context, post_context } = frame.resolved;
  assert.deepEqual(
    { file, function: name, line, column: gotColumn, context_line, pre_context, post_context },
    {
      file: place.file,
      function: place.function,
      line: source.line,
      column,
      context_line: source.text,
      pre_context: source.before,
      post_context: source.after,
    },
  );
}
