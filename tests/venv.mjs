// Virtual environments: what tests need of PyPI.

import { join } from "node:path";
import { execFileSync } from "./limited.mjs";

/** Made anew when the list of versions has changed; by one test file at a time. What is imported is compiled then: little of it. */
const script = `cmp -s "$2" "$1/.installed" || {
  python3 -m venv --clear "$1" &&
  "$1/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-compile --requirement "$2" &&
  cp "$2" "$1/.installed"
}`;

/** A virtual environment in this folder with what a list there names; where its programs are. */
export const installed = (folder, name, list) => {
  const venv = join(folder, name);
  execFileSync("flock", [`${venv}.lock`, "sh", "-c", script, "sh", venv, join(folder, list)], { stdio: "inherit" });
  return join(venv, "bin");
};
