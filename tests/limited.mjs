// Programs that a test waits for: none is waited for longer than its limit.

import * as child from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const limited = (options) => ({ timeout: 300_000, killSignal: "SIGKILL", ...options });

export const execFileSync = (program, words = [], options = {}) => child.execFileSync(program, words, limited(options));

/** Answers with what the program wrote; `child` of the promise is the program. */
export const execFile = (program, words = [], options = {}) => promisify(child.execFile)(program, words, limited(options));

/** The output goes to files, not pipes: whatever the program leaves running holds them open. */
export function spawnSync(program, words = [], options = {}) {
  if (options.stdio) return check(child.spawnSync(program, words, limited(options)), program, words);
  const folder = mkdtempSync(join(tmpdir(), "mayday-output-"));
  const files = ["stdout", "stderr"].map((name) => join(folder, name));
  const open = files.map((file) => openSync(file, "w"));
  try {
    const ended = child.spawnSync(program, words, limited({ ...options, stdio: [options.input === undefined ? "ignore" : "pipe", ...open] }));
    const [stdout, stderr] = files.map((file) => readFileSync(file, options.encoding));
    return check({ ...ended, stdout, stderr }, program, words);
  } finally {
    open.forEach((file) => closeSync(file));
    rmSync(folder, { recursive: true, force: true });
  }
}

function check(ended, program, words) {
  if (ended.error?.code === "ETIMEDOUT") {
    throw new Error(`${program} ${words.join(" ")} did not end: ${ended.stdout}${ended.stderr}`, { cause: ended.error });
  }
  return ended;
}
