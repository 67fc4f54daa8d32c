// opencode, a real agent, mends a bug with its own tools, from the error to the branch. Only the model is a script
// (script.mjs); nothing else is fetched from anywhere.

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import * as openai from "./openai.mjs";
import { KEY, LIMIT, packaged, Scene, skip } from "./scene.mjs";

let scene;
beforeEach(async () => (scene = await Scene.make(openai)));
afterEach(() => scene?.end());

/** Lets it mend the cart; the transcript. */
async function mends(agent) {
  const provider = { npm: "@ai-sdk/openai-compatible", name: "Scripted", options: { baseURL: "{env:OPENAI_BASE_URL}", apiKey: "{env:OPENAI_API_KEY}" }, models: { mender: { name: "Mender" } } };
  const config = { provider: { scripted: provider }, autoupdate: false, share: "disabled" };
  // Its room has no network: it asks its model through the runner, which has the key.
  const passed = {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENAI_BASE_URL: `${scene.model.url}/v1`,
    OPENAI_API_KEY: KEY,
  };
  const id = await scene.session("opencode", "scripted/mender");
  const runner = await scene.startRunner(agent, [dirname(packaged("opencode-linux-x64/bin/opencode"))], passed);
  return scene.checkMended(id, await runner.ended, /Network: POST openai\/chat\/completions: 200/);
}

test("opencode finds the line in the context, mends it with its own tools, and the branch passes its test", { timeout: LIMIT, skip }, async () => {
  await mends("opencode");
});

test("the same when it is talked to by the Agent Client Protocol", { timeout: LIMIT, skip }, async () => {
  const messages = await mends("opencode=acp:exec opencode acp");
  const tools = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  assert.ok(tools.some((text) => text.includes("node check.mjs")), JSON.stringify(tools));
  assert.ok(tools.some((text) => text.includes("src/cart.mjs\n-for (const item of cart.items) sum += item.price.amount;\n+for (const item of cart.items) sum += (item.price?.amount ?? 0);")), JSON.stringify(tools));
  assert.match(messages.findLast(({ role }) => role === "agent").content, /now it costs nothing/);
});
