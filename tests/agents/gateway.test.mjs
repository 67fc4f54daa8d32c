// Claude Code mends a bug with a key of the model gateway, LiteLLM's proxy (tests/deploy/litellm.mjs): from its room through the
// runner to the gateway, which asks the provider. Only that is a script.

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { dirname, join } from "node:path";
import { afterEach, test } from "node:test";
import { gatewayVariables, isReady, master, startGateway } from "../deploy/litellm.mjs";
import { eventually, stopAll } from "../deploy/programs.mjs";
import * as anthropic from "./anthropic.mjs";
import { KEY, LIMIT, packaged, Scene, skip } from "./scene.mjs";

const MODEL = "anthropic/claude-sonnet-4-5";
/** What each answer costs with it, in US dollars: 10 tokens and 5 of output. */
const PRICE = (10 * 3 + 5 * 15) / 1e6;

let scene;
let litellm;
let front;
afterEach(async () => {
  await scene?.end();
  front?.end();
  await stopAll();
});

/** Starts the gateway of the scene's provider; the server's variables. */
async function startAll({ dir, model }) {
  litellm = await startGateway(dir, { ANTHROPIC_API_KEY: KEY, ANTHROPIC_API_BASE: model.url });
  front = await startFront(litellm.url);
  return gatewayVariables(litellm.url, front.url);
}

/** Where agents ask the gateway; `keys` are those with which they did. */
async function startFront(gateway) {
  const keys = new Set();
  const server = createServer((asked, response) => {
    const { method, headers } = asked;
    keys.add(headers.authorization?.replace(/^Bearer /, ""));
    const passed = request(gateway + asked.url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    asked.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, keys, end };
}

/** What the gateway knows of a key, also of one that was deleted. */
async function known(key) {
  const answer = await fetch(`${litellm.url}/key/info?key=${key}`, { headers: { authorization: `Bearer ${master}` } });
  return (await answer.json()).info;
}

/** Lets the session that waits be worked on; what its runner, which has no key, ended with. */
async function work() {
  const modules = dirname(dirname(dirname(packaged("@agentclientprotocol/claude-agent-acp/package.json"))));
  const agent = 'claude-code=acp:ANTHROPIC_CUSTOM_MODEL_OPTION="$MAYDAY_MODEL" exec claude-agent-acp';
  const passed = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
  return (await scene.startRunner(agent, [join(modules, ".bin")], passed, ["--read", modules])).ended;
}

/** What the gateway knows of a key once it is deleted: by then, what it spent counts as its session's cost. */
const settled = (key) =>
  eventually("the end of a key", async () => {
    const info = await known(key);
    return info.status === "deleted" && info;
  }, 60);

test("Claude Code mends the line with a key of LiteLLM that nobody sees, and that is deleted; a cap ends the next session's answers", { timeout: LIMIT, skip }, async (context) => {
  scene = await Scene.make(anthropic, undefined, startAll);
  await isReady(litellm);
  const { requests } = scene.model;
  const id = await scene.session("claude-code", MODEL);
  const messages = await scene.checkMended(id, await work(), /Network: POST gateway\/v1\/messages: 200/);
  const [key, ...others] = front.keys;
  assert.match(key, /^sk-/);
  assert.deepEqual(others, []);
  const { session } = await scene.read(id);
  const pushed = scene.git(join(scene.dir, "host.git"), "log", "--patch", session.branch_name);
  for (const text of [JSON.stringify(messages), JSON.stringify(requests.map(({ body }) => body)), pushed]) {
    for (const secret of [key, KEY, master]) assert.ok(!text.includes(secret), text);
  }

  const { spend } = await settled(key);
  const answers = requests.length;
  assert.ok(Math.abs(spend - answers * PRICE) < 1e-9, `${spend} for ${answers} answers`);
  const { cost_usd } = (await scene.read(id)).session;
  context.diagnostic(`${answers} answers: ${spend} of the key, ${cost_usd} of the session`);
  assert.ok(cost_usd > 0 && cost_usd > spend - 1e-6, `${cost_usd} of ${spend}`);

  const capped = await scene.session("claude-code", MODEL, { caps: { costUsd: PRICE / 10 } });
  const code = await work();
  const { session: paused, messages: told } = await scene.read(capped);
  const all = JSON.stringify([code, paused, told], null, 1);
  assert.equal(paused.status, "paused", all);
  assert.match(paused.reason, /budget is used up|may cost/, all);
  // What the first one cost may not be written down yet when the second one is asked for.
  const more = requests.length - answers;
  context.diagnostic(`with a cap: ${more} answers; ${paused.reason}`);
  assert.ok(more === 1 || more === 2, `${more} answers: ${all}`);
  const last = [...front.keys].at(-1);
  assert.notEqual(last, key);
  assert.ok(!all.includes(last), all);
  await settled(last);
});
