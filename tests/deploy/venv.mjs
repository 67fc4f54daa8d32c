// The virtual environments beside this file: what the tests need of PyPI.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execFileSync } from "../limited.mjs";

const here = dirname(fileURLToPath(import.meta.url));
/** Made anew when the list of versions has changed; by one test file at a time. What is imported is compiled then: little of it. */
const script = `cmp -s "$2" "$1/.installed" || {
  python3 -m venv --clear "$1" &&
  "$1/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-compile --requirement "$2" &&
  cp "$2" "$1/.installed"
}`;

/** A virtual environment and its list of versions; its programs. */
const made = (name, list) => {
  const venv = join(here, name);
  execFileSync("flock", [`${venv}.lock`, "sh", "-c", script, "sh", venv, join(here, list)], { stdio: "inherit" });
  return join(venv, "bin");
};

/** moto and podman-compose. */
export const programs = join(here, ".venv", "bin");
export const install = () => made(".venv", "requirements.txt");

/** LiteLLM, the gateway itself: 140 packages, a minute. */
export const installGateway = () => made(".venv-gateway", "requirements-gateway.txt");
