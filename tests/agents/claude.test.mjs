// Claude Code, talked to by the Agent Client Protocol through its adapter, mends a bug with its own tools, is stopped, and asks
// for permission. Only the model is a script; nothing else is fetched from anywhere.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, test } from "node:test";
import { until } from "../browser/server.mjs";
import * as anthropic from "./anthropic.mjs";
import { KEY, LIMIT, packaged, Scene, skip } from "./scene.mjs";
import { shell } from "./script.mjs";

/** It asks for nothing but its model. */
const QUIET = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };

let scene;
afterEach(() => scene?.end());

/** Its adapter needs the packages beside it, and Node.js. */
function startRunner(command, passed, words = []) {
  const modules = dirname(dirname(dirname(packaged("@agentclientprotocol/claude-agent-acp/package.json"))));
  const all = { ANTHROPIC_BASE_URL: scene.model.url, ...passed };
  return scene.startRunner(`claude-code=acp:${command}`, [join(modules, ".bin")], all, ["--read", modules, ...words]);
}

const of = (messages, kind) => messages.filter((message) => message.kind === kind || message.role === kind).map(({ content }) => content);

test("Claude Code mends the line with its own tools; its room allows them, and lets it reach its model alone", { timeout: LIMIT, skip }, async () => {
  scene = await Scene.make(anthropic);
  const id = await scene.session("claude-code", "sonnet");
  const runner = await startRunner("exec claude-agent-acp", { ANTHROPIC_AUTH_TOKEN: KEY });
  const messages = await scene.checkMended(id, await runner.ended, /Network: POST anthropic\/v1\/messages: 200/);
  const tools = of(messages, "tool");
  assert.ok(tools.includes("src/cart.mjs\n-  for (const item of cart.items) sum += item.price.amount;\n+  for (const item of cart.items) sum += (item.price?.amount ?? 0);"), JSON.stringify(tools));
  const allowed = of(messages, "state").filter((text) => text.startsWith("Allowed, since it is in its room: "));
  for (const what of ["“Edit src/cart.mjs", "“node check.mjs &&"]) assert.ok(allowed.some((text) => text.includes(what)), JSON.stringify(allowed));
  assert.equal(of(messages, "agent").at(-1), "An item had no price; now it costs nothing.");
  // It works on without the services of its maker.
  const network = of(messages, "network");
  const refused = /^Network: (?:refused api\.anthropic\.com:443|[0-9]+ tries were refused in all: api\.anthropic\.com:443 \([0-9]+ times\)\.$)/;
  assert.ok(network.length && network.every((text) => refused.test(text)), JSON.stringify(network));
  assert.ok(scene.model.requests.every(({ body }) => body.model.includes("sonnet")));
  const { session } = await scene.read(id);
  assert.ok(session.cost_usd > 0, "what it says that it cost");
});

/** Whether a program runs, with its words. */
const runs = (words) =>
  readdirSync("/proc").some((process) => {
    try {
      return readFileSync(`/proc/${process}/cmdline`, "utf8") === words.map((word) => `${word}\0`).join("");
    } catch {
      return false;
    }
  });

test("its words come as it says them, and it stops when it is told so, in the middle of a command", { timeout: LIMIT, skip }, async () => {
  const seconds = `${100_000 + process.pid}`;
  let goOn;
  const heard = new Promise((resolve) => (goOn = resolve));
  scene = await Scene.make(anthropic, () => ({ words: "I look for it.", heard, ...shell(`echo half >> src/cart.mjs; sleep ${seconds}`, "Waits") }));
  const id = await scene.session("claude-code", "acme/mender");
  const command = 'ANTHROPIC_CUSTOM_MODEL_OPTION="$MAYDAY_MODEL" claude-agent-acp | tee "$MAYDAY_RESULT.said"';
  const runner = await startRunner(command, { ANTHROPIC_API_KEY: KEY, ...QUIET }, ["--keep"]);
  await scene.until(id, "I look for it.");
  goOn();
  await scene.until(id, "Allowed, since it is in its room");
  await until("the command runs", () => runs(["sleep", seconds]) || undefined);
  await scene.stop(id);
  assert.equal(await runner.ended, 1);
  const { session, messages } = await scene.read(id);
  assert.equal(session.outcome, "cancelled", JSON.stringify([session, messages], null, 1));
  assert.deepEqual(scene.branches(), ["main"]);
  assert.ok(!runs(["sleep", seconds]));
  assert.match(scene.said(), /"stopReason":"cancelled"/);
  assert.deepEqual(of(messages, "network"), []);
  assert.deepEqual(scene.model.requests.map(({ key, body }) => [key, body.model]), [[KEY, "acme/mender"]]);
});

test("outside of a room it asks people, also as root, and does what they say instead", { timeout: LIMIT, skip }, async () => {
  const script = ({ said, results }) => {
    if (!results.length) return shell("rm -r src", "Begins anew");
    if (!said.includes("Add a note instead")) return { words: "Then not." };
    return results.length === 1 ? shell("echo '// A note' >> src/cart.mjs", "Adds a note") : { words: "There is a note." };
  };
  scene = await Scene.make(anthropic, script);
  const id = await scene.session("claude-code", "sonnet");
  // There is no proxy of the runner; what it asks another for is seen.
  const passed = { ANTHROPIC_AUTH_TOKEN: KEY, HTTPS_PROXY: scene.model.url, NO_PROXY: "127.0.0.1", ...QUIET };
  const runner = await startRunner("exec claude-agent-acp", passed, ["--isolation", "none"]);
  const answer = (content) => scene.server.post(`/api/sessions/${id}/messages`, { content }, { expect: 201 });
  await scene.until(id, "The agent asks for permission (1): “rm -r src”");
  // The transcript says so first, and the session with the runner's next sign of life.
  await until("the session waits", async () => (await scene.read(id)).session.phase === "waiting_for_person" || undefined);
  await answer("Add a note instead");
  await scene.until(id, "The agent asks for permission (2): “echo '// A note' >> src/cart.mjs”");
  await answer("Allow");
  assert.equal(await runner.ended, 0);
  const { session, messages } = await scene.read(id);
  assert.equal(session.outcome, "completed", JSON.stringify([session, messages], null, 1));
  assert.deepEqual(session.files_changed, [{ path: "src/cart.mjs", added: 1, removed: 0 }]);
  // As it is ended it may say so as an error.
  const said = messages.filter(({ stream }) => stream !== "stderr");
  assert.deepEqual(of(said, "agent"), ["Then not.", "There is a note."]);
  assert.ok(of(messages, "state").some((text) => text.includes("the answer was another: “rm -r src”")), JSON.stringify(messages));
  assert.ok(scene.model.requests.every(({ path }) => path === "/v1/messages"), JSON.stringify(scene.model.requests.map(({ path }) => path)));
});
