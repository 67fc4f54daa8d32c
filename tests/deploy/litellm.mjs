// LiteLLM's proxy itself (PyPI): its routes, its validation, its checks of keys and budgets. Only its tables are in memory
// (gateway_in_memory.py says why).

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually, freePort, start } from "./programs.mjs";
import { installGateway } from "./venv.mjs";

const here = dirname(fileURLToPath(import.meta.url));

export const master = "sk-the-master-key";

/** Starts it with the keys and addresses of providers, and `home` for what it writes; it is `stopAll` that ends it. */
export async function startGateway(home, providers) {
  const port = await freePort();
  const python = join(installGateway(), "python");
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    CONFIG_FILE_PATH: join(here, "..", "..", "deploy", "gateway.yaml"),
    LITELLM_MASTER_KEY: master,
    LITELLM_LOCAL_MODEL_COST_MAP: "True",
    ...providers,
  };
  const litellm = start(python, [join(here, "gateway_in_memory.py"), String(port)], { env });
  return Object.assign(litellm, { url: `http://127.0.0.1:${port}` });
}

/** Waits until it answers; fails at once if it ends before. */
export async function isReady(litellm) {
  const hasEnded = () => litellm.exitCode !== null || litellm.signalCode !== null;
  const answers = async () => (await fetch(`${litellm.url}/health/liveliness`)).ok;
  await eventually(() => `LiteLLM: ${litellm.said}`, () => hasEnded() || answers(), 300);
  assert.ok(!hasEnded(), `LiteLLM has ended with ${litellm.exitCode ?? litellm.signalCode}: ${litellm.said}`);
}

/** What a server is told of it; agents may ask it at another address. */
export const gatewayVariables = (url, publicUrl = url) => ({
  AGENT_GATEWAY_ENABLED: "true",
  AGENT_GATEWAY_PROXY_BASE_URL: url,
  AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL: publicUrl,
  AGENT_GATEWAY_PROXY_MASTER_KEY: master,
  SERVICE_GATEWAY_SETTLE_SECONDS: "3",
});
