// opencode, a real agent, mends a bug with its own tools, from the error to the branch. Only the model is a script
// (endpoint.mjs); nothing else is fetched from anywhere.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { binary } from "../browser/programs.mjs";
import { Server } from "../browser/server.mjs";
import { start } from "./endpoint.mjs";
import { execFileSync } from "../limited.mjs";

// It starts slowly on a machine that does much else.
const LIMIT = 8 * 60_000;
const CART = `export function total(cart) {
  let sum = 0;
  for (const item of cart.items) sum += item.price.amount;
  return sum;
}
`;
const CHECK = `import assert from "node:assert/strict";
import { total } from "./src/cart.mjs";

assert.equal(total({ items: [{ price: { amount: 3 } }, {}] }), 3);
`;
const STACK = "TypeError: Cannot read properties of undefined (reading 'amount')\n    at total (https://shop.example/src/cart.mjs:3:56)";

const KEY = "sk-of-the-model-0123456789";

let dir;
let server;
let model;
let runner;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "mayday-opencode-"));
  server = await Server.start({ variables: { SERVICE_REPOSITORIES_ALLOW_LOCAL: "true" } });
  model = await start();
});
afterEach(async () => {
  runner?.kill("SIGKILL");
  model?.stop();
  await server?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const git = (place, ...words) =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main", ...words], {
    cwd: place,
    encoding: "utf8",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
  }).trim();

function repository() {
  const first = join(dir, "first");
  mkdirSync(join(first, "src"), { recursive: true });
  writeFileSync(join(first, "src/cart.mjs"), CART);
  writeFileSync(join(first, "check.mjs"), CHECK);
  git(first, "init", "--quiet");
  git(first, "add", "--all");
  git(first, "commit", "--quiet", "--message", "The shop");
  git(dir, "clone", "--quiet", "--bare", "first", "host.git");
  return join(dir, "host.git");
}

/** Where the agent's program is. It is pinned for one platform: the lock file of all of them cannot be installed where a
 * registry lacks some. */
const platform = `${process.platform}-${process.arch}`;
const skip = platform === "linux-x64" ? false : `opencode is pinned for linux-x64, this is ${platform}`;
const programs = () => dirname(createRequire(import.meta.url).resolve("opencode-linux-x64/bin/opencode"));

function startRunner(token, agent) {
  const provider = { npm: "@ai-sdk/openai-compatible", name: "Scripted", options: { baseURL: "{env:OPENAI_BASE_URL}", apiKey: "{env:OPENAI_API_KEY}" }, models: { mender: { name: "Mender" } } };
  const config = { provider: { scripted: provider }, autoupdate: false, share: "disabled" };
  mkdirSync(join(dir, "home"));
  // Its room has no network: it asks its model through the runner, which has the key.
  const passed = {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: KEY,
  };
  const words = ["runner", "--url", server.origin, "--work-dir", join(dir, "runner"), "--agent", agent, "--allow-file-repositories", "--once"];
  runner = spawn(binary, [...words, ...Object.keys(passed).flatMap((name) => ["--env", name])], {
    env: { PATH: `${programs()}:${process.env.PATH}`, HOME: join(dir, "home"), MAYDAY_RUNNER_TOKEN: token, ...passed },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve) => runner.once("exit", resolve));
}

/** Lets it mend the cart; the transcript. */
async function mends(agent) {
  const host = repository();
  const project = await server.project("Shop");
  const body = { hostRepoId: "1", hostRepoName: "acme/shop", hostUrl: `file://${host}` };
  const { repo } = await server.post("/api/repos", body, { expect: 200 });
  const error = { type: "TypeError", message: "Cannot read properties of undefined (reading 'amount')", stack: STACK };
  const { issue_id: issueId } = await project.sendAndRead(error);
  const wanted = { issueId, repoId: repo.id, agentType: "opencode", modelId: "scripted/mender" };
  const { session } = await server.post("/api/sessions", wanted, { expect: 201 });
  const { token } = await server.post("/api/runners", { name: "with opencode" }, { expect: 201 });
  const code = await startRunner(token, agent);
  const { session: ended } = await server.request(`/api/sessions/${session.id}`);
  const { messages } = await server.request(`/api/sessions/${session.id}/messages?limit=1000`);
  assert.equal(ended.outcome, "completed", JSON.stringify([ended, messages], null, 1));
  assert.equal(code, 0);
  assert.equal(ended.summary, "An item had no price.");
  assert.deepEqual(ended.files_changed, [{ path: "src/cart.mjs", added: 1, removed: 1 }]);
  git(dir, "clone", "--quiet", "--branch", ended.branch_name, "host.git", "after");
  execFileSync(process.execPath, ["check.mjs"], { cwd: join(dir, "after") });
  assert.throws(() => execFileSync(process.execPath, ["check.mjs"], { cwd: join(dir, "first"), stdio: "ignore" }));
  assert.ok(model.requests.every(({ authorization }) => authorization === `Bearer ${KEY}`));
  assert.doesNotMatch(JSON.stringify(messages), new RegExp(KEY));
  assert.match(JSON.stringify(messages), /Network: POST openai\/chat\/completions: 200/);
  // The model was given the instructions, and what came from outside only as what a tool read.
  const asked = model.requests.filter(({ body }) => body.tools?.length);
  const first = JSON.stringify(asked[0].body.messages);
  assert.match(first, /MAYDAY_RESULT/);
  assert.doesNotMatch(first, /reading 'amount'/);
  return messages;
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
