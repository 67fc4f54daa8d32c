// Runs before the tests: installs what the lock files name and builds the fixtures, each only when
// it is missing or out of date. Needs nothing that is not part of Node and npm.

import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const app = join(here, "..", "fixtures", "app");

function run(folder, command, ...words) {
  execFileSync(command, words, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
}

/** Installs a folder's packages, unless npm has already done so since the lock file changed. */
function install(folder) {
  const lock = join(folder, "package-lock.json");
  const done = join(folder, "node_modules", ".package-lock.json");
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(lock).mtimeMs) return;
  run(folder, "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error");
}

install(here);
install(app);
run(app, process.execPath, "build.mjs");
run(app, process.execPath, "big.mjs");

const binary = process.env.MAYDAY_BIN ?? join(here, "..", "..", "target", "debug", "mayday");
if (!existsSync(binary)) {
  console.error(`There is no server to test at ${binary}. Build it (cargo build) or set MAYDAY_BIN.`);
  process.exit(1);
}
const chromium = process.env.CHROMIUM_BIN ?? "/usr/bin/chromium";
if (!existsSync(chromium)) {
  console.error(`There is no Chromium at ${chromium}. Install it or set CHROMIUM_BIN.`);
  process.exit(1);
}
