// Of Node's own tests, none can be left out without the run failing.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { count } from "../../tools/step-results.mjs";
import { spawnSync } from "../limited.mjs";

const reporter = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "tools", "missing-tests.mjs");
const words = ["--test", ...["spec", reporter].flatMap((name) => [`--test-reporter=${name}`, "--test-reporter-destination=stdout"])];
// Set by the runner of this file, which the inner one would take for its own.
const { NODE_TEST_CONTEXT: _, ...env } = process.env;

/** Runs a test file of these lines; its exit code, what the reporter found, and how many tests were counted. */
const run = (...lines) => limited(20, ...lines);

function limited(seconds, ...lines) {
  const folder = mkdtempSync(join(tmpdir(), "mayday-missing-"));
  try {
    writeFileSync(join(folder, "a.test.mjs"), ['import { describe, test } from "node:test";', ...lines].join("\n"));
    const { status, stdout } = spawnSync(process.execPath, [...words, `--test-timeout=${seconds * 1000}`, "a.test.mjs"], { cwd: folder, env, encoding: "utf8", timeout: 30_000 });
    const { tests, failures } = count(stdout);
    return { status, stdout, tests, found: failures.filter((line) => /^(HANGS|NOT RUN): /.test(line)).map((line) => line.replaceAll(folder, "")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const later = "await new Promise((done) => setTimeout(done, 100));";

test("a file that exits in the middle of a test fails, with the tests that are missing", () => {
  const { status, found } = run('test("one", () => {});', `test("two", async () => { ${later} process.exit(0); });`, 'test("three", () => {});');
  assert.equal(status, 1);
  assert.deepEqual(found, ["HANGS: two (/a.test.mjs:3:1) had not ended when its file did", "NOT RUN: three (/a.test.mjs:4:1) had not begun when its file ended"]);
});

test("a file that exits before its first test fails", () => {
  const { status, found } = run("process.exit(0);", 'test("one", () => {});');
  assert.equal(status, 1);
  assert.deepEqual(found, ["NOT RUN: /a.test.mjs ended before its first test did"]);
});

test("a file that something keeps open fails at its limit", () => {
  const { status, stdout } = limited(3, 'test("one", () => { setInterval(() => {}, 1000); });');
  assert.equal(status, 1);
  assert.match(stdout, /✖ \S*a\.test\.mjs [\s\S]*timed out after 3000ms/);
});

test("every result of a file that never waits is counted", () => {
  // All of them are written at the end, and the last few are more than a pipe holds. With --test-force-exit they are cut.
  const { status, tests, found } = run('for (const outer of ["a", "b", "c"]) describe(outer, () => {', '  for (let each = 0; each < 10; each += 1) test("x".repeat(50_000), () => {});', "});");
  assert.equal(status, 0);
  assert.deepEqual(found, []);
  assert.equal(tests, 30);
});

test("skipped tests, tests within tests and tests at the same time are all there", () => {
  const { status, found } = run(
    'describe("skipped", { skip: true }, () => { test("never", () => {}); });',
    'describe("together", { concurrency: true }, () => {',
    '  for (let each = 0; each < 3; each += 1) test("same", async (t) => { await t.test("inner", () => {}); await t.test("inner", { skip: true }); });',
    "});",
    'test("later", { todo: true });',
  );
  assert.equal(status, 0);
  assert.deepEqual(found, []);
});
