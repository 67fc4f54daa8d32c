// A reporter for Node's test runner, beside its own: names the tests that ran when their file ended, the tests that had not
// begun by then, and the files that ended before their first test. Each of them makes the run fail. Node's own reporter names
// only files whose time is over, and a file that exits early, with 0, has passed for it.

import { resolve } from "node:path";

const named = ({ name, file, line, column }) => `${name} (${file}:${line}:${column})`;

/** Node reports a file as a test when it has heard of none in it. */
const isFile = ({ name, file }) => resolve(name) === file;

function remove(tests, test) {
  const at = tests.findIndex((each) => named(each) === named(test));
  if (at >= 0) tests.splice(at, 1);
}

export default async function* missingTests(events) {
  const waiting = [];
  const running = [];
  const empty = [];
  for await (const { type, data } of events) {
    if (type === "test:enqueue") waiting.push(data);
    if (type === "test:dequeue" || type === "test:complete") remove(waiting, data);
    if (type === "test:dequeue") running.push(data);
    if (type === "test:complete") remove(running, data);
    if (type === "test:pass" && isFile(data)) empty.push(data.file);
  }
  if (running.length + waiting.length + empty.length > 0) process.exitCode = 1;
  for (const test of running) yield `HANGS: ${named(test)} had not ended when its file did\n`;
  for (const test of waiting) yield `NOT RUN: ${named(test)} had not begun when its file ended\n`;
  for (const file of empty) yield `NOT RUN: ${file} ended before its first test did\n`;
}
