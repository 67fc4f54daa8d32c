// Programs that a test starts: on free ports, waited for, and ended with it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

const running = [];

/** Of this process, below those that the kernel gives to whoever asks for any: nobody takes one that its program has left for a moment. */
const PORTS = 20;
const first = 10_000 + (process.pid % 1_000) * PORTS;
let given = 0;

export async function freePort() {
  for (let tries = 0; tries < PORTS; tries += 1) {
    const port = first + (given++ % PORTS);
    const holder = createServer();
    const isFree = await new Promise((done) => holder.once("error", () => done(false)).listen(port, () => done(true)));
    if (!isFree) continue;
    await new Promise((done) => holder.close(done));
    return port;
  }
  throw new Error(`no port of ${first} to ${first + PORTS - 1} is free`);
}

/** What `look` finds, once it does. `what` may be a function, which is asked once it was in vain. */
export async function eventually(what, look, seconds = 120) {
  for (const start = Date.now(); Date.now() - start < seconds * 1000; ) {
    const found = await Promise.resolve().then(look).catch(() => undefined);
    if (found) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.fail(`waited in vain for ${typeof what === "function" ? what() : what}`);
}

/** A process; `said` has what it prints. */
export function start(program, words, options) {
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"], ...options });
  running.push(child);
  child.said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (child.said += text));
  return child;
}

/** Ends all of them. */
export async function stopAll() {
  const ends = running.filter((child) => child.exitCode === null && child.signalCode === null).map((child) => once(child, "exit"));
  for (const child of running) child.kill("SIGTERM");
  const hard = setTimeout(() => running.forEach((child) => child.kill("SIGKILL")), 15_000);
  await Promise.all(ends);
  clearTimeout(hard);
}
