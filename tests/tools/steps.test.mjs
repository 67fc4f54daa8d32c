// What runs the continuous integration ends by itself, and says what failed, hung or stayed behind.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { count } from "../../tools/step-results.mjs";

const tools = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "tools");

/** Runs a tool to its end; its exit code and what it printed. */
function run(tool, words, env = {}) {
  const child = spawn(process.execPath, [join(tools, tool), ...words], { env: { ...process.env, CI: "", ...env }, stdio: ["ignore", "pipe", "inherit"], timeout: 60_000 });
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  const ended = new Promise((done) => child.once("exit", (code) => done({ code, said })));
  return Object.assign(ended, { child });
}
const steps = (within, ...words) => run("steps.mjs", ["--within", String(within), ...words.map(String)]);
const runs = (pid) => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};
const pids = (said, pattern) => [...said.matchAll(pattern)].map(([, pid]) => Number(pid));

test("all steps run, and one that fails makes the whole fail", async () => {
  const { code, said } = await steps(1, 1, "echo 'test result: ok. 7 passed; 0 failed; 1 ignored'", 1, "echo 'thread x panicked at y'; exit 3", 1, "echo last");
  assert.equal(code, 1);
  assert.match(said, /FAILED: .*it ended with 3\n {2}thread x panicked at y/);
  assert.match(said, /^ +\d+ +7 +1 +0 {2}echo/m);
  assert.match(said, /^last$/m);
  assert.equal((await steps(1, 1, "true")).code, 0);
});

test("a step that hangs is ended with all it started", async () => {
  const { code, said } = await steps(1, 0.05, "setsid sleep 97 & sleep 98");
  assert.equal(code, 1);
  assert.match(said, /did not end within its 0\.05 minutes\. Running then:\n( .*\n)*? {2}\d+ sleep 98/);
  for (const pid of pids(said, /^ {2}(\d+) sleep/gm)) assert.ok(!runs(pid), `${pid} runs`);
});

test("the limit for all ends the step that runs, and no other begins", async () => {
  const { code, said } = await steps(0.05, 1, "sleep 96", 1, "echo never");
  assert.equal(code, 1);
  assert.match(said, /sleep 96 did not end within its share of the time for all steps/);
  assert.match(said, /echo never {2}NOT RUN/);
  assert.doesNotMatch(said, /^never$/m);
});

test("a step that may be left out begins only if its time is left", async () => {
  const { code, said } = await steps(1, 1, "echo first", "2?", "echo never", "0.5?", "echo last");
  assert.equal(code, 0);
  assert.match(said, /echo never {2}NOT RUN: 0 of its 2 minutes were left/);
  assert.doesNotMatch(said, /^never$/m);
  assert.match(said, /^last$/m);
  assert.equal((await steps(1, "0.5?", "exit 3")).code, 1);
});

test("what a step leaves running is named, ended, and a failure", async () => {
  const { code, said } = await steps(1, 1, "setsid sleep 95 & disown; env -i setsid --fork sleep 94");
  assert.equal(code, 1);
  const left = pids(said, /left running, and ended: (\d+) sleep 9[45]/g);
  assert.equal(left.length, 2, said);
  for (const pid of left) assert.ok(!runs(pid), `${pid} runs`);
});

test("a signal ends the step, and the table is printed", async () => {
  const running = steps(1, 1, "echo begun; sleep 93");
  await new Promise((done) => running.child.stdout.on("data", (text) => /^begun$/m.test(text) && done()));
  running.child.kill("SIGTERM");
  const { code, said } = await running;
  assert.equal(code, 1);
  assert.match(said, /SIGTERM came during/);
  assert.match(said, /in all\n$/);
});

test("wrong words are refused", async () => {
  for (const words of [[], ["--within"], ["--within", "1"], ["--within", "1", "x", "true"], ["--within", "1", "1"]]) {
    const child = spawn(process.execPath, [join(tools, "steps.mjs"), ...words], { stdio: "ignore", timeout: 20_000 });
    assert.equal(await new Promise((done) => child.once("exit", done)), 2, words.join(" "));
  }
});

test("results of every runner are counted", () => {
  const output = [
    "test result: ok. 1 passed; 2 failed; 4 ignored; 0 measured; 9 filtered out",
    "     Summary [  12.345s] 8 tests run: 7 passed (1 flaky), 1 failed, 900 skipped",
    "   FLAKY 2/2 [   0.1s] mayday::process kill::comes_back",
    "  1 failed\n    a.test.mjs:1:1 › fails",
    "  1 flaky\n    b.test.mjs:1:1 › comes back ───\n  2 skipped\n  16 passed (3.2m)",
    "      Tests  32 passed | 1 skipped (33)",
    "ℹ pass 64\nℹ fail 1\nℹ skipped 3",
    "NOT TRIED: the stack: only root can run it.",
    "FLAKY: api::comes_back",
  ].join("\n");
  const { tests, skipped, flaky, untried } = count(output);
  assert.equal(tests, 3 + 8 + 1 + 1 + 16 + 32 + 65);
  assert.equal(skipped, 4 + 2 + 1 + 3);
  assert.deepEqual(flaky, ["mayday::process kill::comes_back", "api::comes_back", "b.test.mjs:1:1 › comes back ───"]);
  assert.deepEqual(untried, ["NOT TRIED: the stack: only root can run it."]);
});

// A program that prints what libtest prints.
const libtest = (script) => ["bash", "-c", script];

test("a test that hangs is named, and ends its run", async () => {
  const hanging = libtest("echo 'test a::b has been running for over 60 seconds'; sleep 92");
  const { code, said } = await run("watch-tests.mjs", hanging, { MAYDAY_TEST_SECONDS: "1" });
  assert.equal(code, 1);
  assert.match(said, /HANGS: a::b did not end within 1 seconds/);
});

test("a slow test that ends in time is none that hangs", async () => {
  const slow = libtest("echo 'test a::b has been running for over 60 seconds'; echo 'test a::b ... ok'; sleep 3");
  assert.equal((await run("watch-tests.mjs", slow, { MAYDAY_TEST_SECONDS: "61" })).code, 0);
});

test("in the continuous integration alone a failed test runs once more", async () => {
  // The second call has its name.
  const fails = libtest('case "$*" in *--exact*) echo "test a::b ... ok" ;; *) echo "test a::b ... FAILED"; exit 101 ;; esac');
  const again = await run("watch-tests.mjs", [...fails, "libtest", "--"], { CI: "true" });
  assert.equal(again.code, 0);
  assert.match(again.said, /FLAKY: a::b/);
  assert.equal((await run("watch-tests.mjs", [...fails, "libtest", "--"])).code, 101);
});
