// Programs that a test waits for: none is waited for longer than its limit.

import * as child from "node:child_process";

const limited = (options) => ({ timeout: 300_000, killSignal: "SIGKILL", ...options });

export const execFileSync = (program, words = [], options = {}) => child.execFileSync(program, words, limited(options));

export function spawnSync(program, words = [], options = {}) {
  const ended = child.spawnSync(program, words, limited(options));
  if (ended.error?.code === "ETIMEDOUT") {
    throw new Error(`${program} ${words.join(" ")} did not end: ${ended.stdout}${ended.stderr}`, { cause: ended.error });
  }
  return ended;
}
