// The programs that the tests run, and where they are. Needs nothing that is not part of Node.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Paths are relative to where the command was given, which npm leaves for the package's folder. */
const from = process.env.INIT_CWD ?? process.cwd();

const targets = process.env.CARGO_TARGET_DIR ? resolve(from, process.env.CARGO_TARGET_DIR) : join(root, "target");

export const binary = process.env.MAYDAY_BIN
  ? resolve(from, process.env.MAYDAY_BIN)
  : join(targets, "debug", "mayday");

/** The first program of these names on the PATH. */
function onPath(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(runs);
}

/** The shell is Chromium without the parts around the page: one is opened at half the cost. */
export const chromium = process.env.CHROMIUM_BIN
  ? resolve(from, process.env.CHROMIUM_BIN)
  : (onPath("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome") ?? "/usr/bin/chromium");

/** Python with what `requirements.txt` names; made by `prepare.mjs`. */
export const venv = join(dirname(fileURLToPath(import.meta.url)), ".venv");
export const python = join(venv, "bin", "python");

/** A folder with a build of the Web app to test in the place of the one that the server carries. */
export const webApp = process.env.MAYDAY_WEB_DIST ? resolve(from, process.env.MAYDAY_WEB_DIST) : undefined;

/** What is missing for the tests to run, each with what to do about it; without `server` it is still being built. */
export function missing({ server = true } = {}) {
  const problems = [];
  if (server && !runs(binary)) {
    problems.push(`There is no server to test at ${binary}. Build it (\`cargo build\`) or set MAYDAY_BIN.`);
  }
  if (!runs(chromium)) problems.push(`There is no Chromium at ${chromium}. Install it or set CHROMIUM_BIN.`);
  for (const name of ["bash", "curl", "jq", "python3"]) {
    if (!onPath(name)) problems.push(`There is no ${name} on the PATH; the tests and the commands that the documentation shows need it.`);
  }
  return problems;
}

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
