// Runs before the tests: looks for the programs they need, installs what the lock files name and
// builds the fixtures, each only when it is missing or out of date. Needs nothing but Node and npm.

import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { missing } from "./programs.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const app = join(here, "..", "fixtures", "app");

const problems = missing();
if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}

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

try {
  install(here);
  install(app);
  run(app, process.execPath, "build.mjs");
  run(app, process.execPath, "big.mjs");
} catch (error) {
  // What went wrong is printed above, by the command itself.
  console.error(`The tests cannot be prepared: ${error.message}`);
  process.exit(1);
}
