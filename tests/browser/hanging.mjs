// A reporter: names a test that does not even end at its own limit, as one that loops, and ends its worker, which cannot do
// it itself. The worker's browser and servers go with it.

import { readFileSync, readdirSync } from "node:fs";

/** How long a test may take beyond its limit: what it opened is closed in that time. */
const GRACE = 30_000;

/** `[pid, parent, ticks of processor time]` of every process. */
function processes() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1).split(" ");
        return [[Number(name), Number(fields[1]), Number(fields[11]) + Number(fields[12])]];
      } catch {
        // It has ended.
        return [];
      }
    });
}

function descendants(pid, all) {
  const children = all.filter(([, parent]) => parent === pid).map(([child]) => child);
  return children.flatMap((child) => [child, ...descendants(child, all)]);
}

/** Ends the worker that computed most of the time since `before`, with all that it started. */
function endBusiest(before) {
  const all = processes();
  const used = ([pid, , ticks]) => ticks - (before.get(pid) ?? 0);
  const workers = all.filter(([, parent]) => parent === process.pid).sort((one, other) => used(other) - used(one));
  if (workers.length === 0) return;
  const [pid] = workers[0];
  for (const each of [pid, ...descendants(pid, all)]) {
    try {
      process.kill(each, "SIGKILL");
    } catch {
      // It ended with another.
    }
  }
}

export default class Hanging {
  #timers = new Map();

  onTestBegin(test, result) {
    if (test.timeout === 0) return;
    const name = test.titlePath().filter(Boolean).join(" › ");
    const timer = setTimeout(() => {
      process.stdout.write(`HANGS: ${name} did not end within ${(test.timeout + GRACE) / 1_000} seconds\n`);
      const before = new Map(processes().map(([pid, , ticks]) => [pid, ticks]));
      setTimeout(() => endBusiest(before), 2_000);
    }, test.timeout + GRACE);
    this.#timers.set(result, timer.unref());
  }

  onTestEnd(_test, result) {
    clearTimeout(this.#timers.get(result));
    this.#timers.delete(result);
  }
}
