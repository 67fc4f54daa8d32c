import { readFileSync } from "node:fs";
import type { Reporter } from "vitest/node";

/** Ends the tests when none has begun or ended for so long, and names the file: Vitest's own limit ends no loop. */
export function hanging(milliseconds: number): Reporter {
  const running = new Set<string>();
  let last = "none";
  const end = () => {
    if (running.size === 0) return;
    for (const file of running) process.stdout.write(`HANGS: ${file}; the last test to end was: ${last}\n`);
    // A worker that loops does not notice that this process ends.
    const workers = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
    for (const pid of workers) process.kill(Number(pid), "SIGKILL");
    process.exit(1);
  };
  const timer = setTimeout(end, milliseconds).unref();
  return {
    onTestModuleQueued: ({ moduleId }) => {
      running.add(moduleId);
      timer.refresh();
    },
    onTestModuleEnd: ({ moduleId }) => {
      running.delete(moduleId);
      timer.refresh();
    },
    onTestCaseResult: ({ fullName }) => {
      last = fullName;
      timer.refresh();
    },
  };
}
