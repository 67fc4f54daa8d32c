#!/usr/bin/env node
// Runs a `cargo test` whose tests cannot hang it:
//
//   tools/watch-tests.mjs cargo test --test api -- --test-threads=6
//
// libtest says when a test has run for a minute; one that then takes MAYDAY_TEST_SECONDS (300) in all is named, and the
// whole is ended. With CI=true tests that failed are run once more by themselves, and named if they pass then.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const LIMIT = Number(process.env.MAYDAY_TEST_SECONDS ?? 300);
/** How long libtest waits before it names a slow test, in seconds. */
const NAMED_AFTER = 60;
/** More failures than this are no accident. */
const MOST_AGAIN = 5;

/** The names of a process group's threads: libtest gives each the name of its test, of which Linux keeps 15 letters. */
function threads(group) {
  const names = new Set();
  const list = (path) => {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  };
  const text = (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  };
  for (const pid of list("/proc").filter((name) => /^\d+$/.test(name))) {
    if (Number(/^\d+ \(.*\) \S \d+ (\d+)/s.exec(text(`/proc/${pid}/stat`))?.[1]) !== group) continue;
    for (const thread of list(`/proc/${pid}/task`)) names.add(text(`/proc/${pid}/task/${thread}/comm`).trim());
  }
  return [...names].filter((name) => name.includes("::"));
}

function run(words) {
  return new Promise((done) => {
    const child = spawn(words[0], words.slice(1), { detached: true, stdio: ["ignore", "pipe", "inherit"] });
    const slow = new Map();
    const failed = [];
    let why;
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // It has ended.
      }
    };
    const stop = (reason) => {
      if (why) return;
      why = reason;
      console.log(`\nHANGS: ${reason}`);
      for (const name of slow.keys()) console.log(`HANGS: ${name} has run for more than ${NAMED_AFTER} seconds`);
      const others = threads(child.pid);
      if (others.length > 0) console.log(`Tests running (the beginnings of their names): ${others.join(", ")}`);
      end("SIGKILL");
    };
    const read = (line) => {
      console.log(line);
      const begun = /^test (\S+) has been running for over \d+ seconds/.exec(line)?.[1];
      if (begun) slow.set(begun, setTimeout(() => stop(`${begun} did not end within ${LIMIT} seconds`), Math.max(LIMIT - NAMED_AFTER, 0) * 1000));
      const [, ended, outcome] = /^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/.exec(line) ?? [];
      if (!ended) return;
      clearTimeout(slow.get(ended));
      slow.delete(ended);
      if (outcome === "FAILED") failed.push(ended);
    };
    createInterface({ input: child.stdout }).on("line", read);
    const passOn = (signal) => stop(`${signal} came`);
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, passOn);
    child.once("error", (error) => {
      console.error(`${words[0]}: ${error.message}`);
      done({ code: 127, failed });
    });
    // Not "close": a process that a test left behind holds the pipe open.
    child.once("exit", (code) => {
      setTimeout(() => {
        for (const timer of slow.values()) clearTimeout(timer);
        for (const signal of signals) process.off(signal, passOn);
        done({ code: why ? 1 : (code ?? 1), failed, why });
      }, 500);
    });
  });
}

const words = process.argv.slice(2);
if (words.length === 0) {
  console.error("usage: tools/watch-tests.mjs cargo test [...] [-- ...]");
  process.exit(2);
}
const first = await run(words);
let { code } = first;
if (code !== 0 && process.env.CI === "true" && !first.why && first.failed.length > 0 && first.failed.length <= MOST_AGAIN) {
  console.log(`\nOnce more: ${first.failed.join(", ")}`);
  const own = words.includes("--") ? words : [...words, "--"];
  const again = await run([...own, "--exact", ...first.failed]);
  ({ code } = again);
  for (const name of first.failed.filter((name) => !again.failed.includes(name))) if (!again.why) console.log(`FLAKY: ${name}`);
}
process.exit(code);
