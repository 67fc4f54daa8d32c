// A deploy folder of its own for a test, and every shell of this machine to run its scripts in.

import assert from "node:assert/strict";
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "node:test";
import { fileURLToPath } from "node:url";
import { spawnSync } from "../limited.mjs";
import { lacks } from "./untried.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const binary = process.env.MAYDAY_BIN ?? join(root, "target", "debug", "mayday");
export const has = (program, ...words) => spawnSync(program, words).status === 0;

/** Every shell that the scripts have to work in, and what says that it is there. */
const wanted = [
  [["sh"], ["-c", "true"]],
  [["dash"], ["-c", "true"]],
  [["busybox", "sh"], ["-c", "true"]],
  [["bash", "--posix"], ["-c", "true"]],
];
const isThere = ([[program, ...first], words]) => has(program, ...first, ...words);
const fileOf = (program) => spawnSync("/bin/sh", ["-c", 'readlink -f "$(command -v "$1")"', "sh", program]).stdout.toString();
/** `sh` is another name of dash on Debian: one of the two is enough there. */
const isAgain = ([[program]]) => program === "dash" && fileOf("dash") === fileOf("sh");
export const shells = wanted.filter((each) => isThere(each) && !isAgain(each)).map(([shell]) => shell);
for (const each of wanted) lacks(`the scripts in ${each[0].join(" ")}`, !isThere(each) && "it is not installed");

/** Folders that go away after the test. */
export const made = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A deploy folder with these files in it. */
export function deploy(files = {}) {
  const folder = mkdtempSync(join(tmpdir(), "mayday deploy "));
  made.push(folder);
  cpSync(join(root, "deploy"), folder, { recursive: true });
  cpSync(join(root, ".env.static.example"), join(folder, ".env.static.example"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  // An engine that is there and has no container.
  program(folder, "engine", "exit 0");
  symlinkSync(join(folder, "engine"), join(folder, "composer"));
  return folder;
}

/** A program that the scripts find before any other of its name. */
export function program(folder, name, text) {
  rmSync(join(folder, name), { force: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** Runs a script; the last word may be more of its environment. */
export function run(shell, folder, script, ...words) {
  const [name, ...first] = shell;
  const { uid, ...more } = typeof words.at(-1) === "object" ? words.pop() : {};
  // The compose command is a list of words, and the folder has a space in its name. No port of this host is in use.
  const env = { PATH: `${folder}:${process.env.PATH}`, MAYDAY_ENGINE: join(folder, "engine"), MAYDAY_COMPOSE: "composer", MAYDAY_BIN: binary, MAYDAY_PROC_NET: folder, ...more };
  const { status, stdout, stderr } = spawnSync(name, [...first, join(folder, script), ...words], { env, encoding: "utf8", uid, gid: uid });
  return { status, stdout, stderr, all: stdout + stderr };
}

export const read = (folder, name) => readFileSync(join(folder, name), "utf8");
export const assignments = (text) => Object.fromEntries(text.split("\n").filter((line) => /^[A-Z]/.test(line)).map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
export const required = "SITE_ADDRESS=mayday.example.net\nSERVICE_TELEMETRY_MODE=self_managed\nSERVICE_SERVER_IMAGE_TAG=server-v1.0.0\n";

/** Derives the runtime files as bootstrap.sh does. */
export const derive = (shell, folder) => {
  writeFileSync(join(folder, "derive.sh"), '. "$(dirname "$0")/lib.sh"\nderive\n');
  const { status, all } = run(shell, folder, "derive.sh");
  assert.equal(status, 0, all);
  return assignments(read(folder, ".env.runtime"));
};

/** Some user without rights, who plays `mayday` where there is a service. */
export const nobody = 65_534;

/** A folder of `nobody` with an instance that was started, whose backups have this mode; `more` is what its engine does. */
export function instance(mode, more = "exit 0") {
  const folder = deploy({ ".env.static": required, ".env.runtime": "", ".env": "MAYDAY_IMAGE=mayday:server-v1.0.0\n" });
  program(folder, "engine", more);
  program(folder, "curl", "echo answered");
  // The options of `run` name the directory that is mounted.
  program(folder, "composer", `for each in "$@"; do case $each in *:/backup) into=\${each%:/backup} ;; esac; done\n[ -z "$into" ] || { echo data >"$into/data.tar.zst"; chmod ${mode} "$into/data.tar.zst"; }`);
  chownSync(folder, nobody, nobody);
  for (const name of readdirSync(folder)) chownSync(join(folder, name), nobody, nobody);
  return folder;
}

export const preflight = (shell, folder, more = {}) => JSON.parse(run(shell, folder, "preflight.sh", "--json", more).stdout);
