// Runs before the tests: looks for the programs they need, installs what the lock files name and
// builds the fixtures, each only when it is missing or out of date. Needs nothing but Node, npm and Python.
// `--without-server` while the server is still being built.

import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { missing, venv } from "./programs.mjs";
import { execFileSync } from "../limited.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const app = join(here, "..", "fixtures", "app");

const problems = missing({ server: !process.argv.includes("--without-server") });
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

/** Makes the Python environment of the mail server, unless that was done since its list changed. */
function installPython() {
  const list = join(here, "requirements.txt");
  const done = join(venv, ".installed");
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(list).mtimeMs) return;
  rmSync(venv, { recursive: true, force: true });
  run(here, "python3", "-m", "venv", venv);
  run(here, join(venv, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--requirement", list);
  writeFileSync(done, "");
}

try {
  install(here);
  installPython();
  install(app);
  run(app, process.execPath, "build.mjs");
  run(app, process.execPath, "big.mjs");
} catch (error) {
  // What went wrong is printed above, by the command itself.
  console.error(`The tests cannot be prepared: ${error.message}`);
  process.exit(1);
}
