// The virtual environments beside this file.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed } from "../venv.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** moto and podman-compose. */
export const programs = join(here, ".venv", "bin");
export const install = () => installed(here, ".venv", "requirements.txt");

/** LiteLLM, the gateway itself: 140 packages, a minute. */
export const installGateway = () => installed(here, ".venv-gateway", "requirements-gateway.txt");
