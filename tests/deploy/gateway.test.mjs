// Sessions with keys of LiteLLM's proxy (litellm.mjs); the model provider answers from this file.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { binary } from "./folder.mjs";
import { gatewayVariables, isReady, master, startGateway } from "./litellm.mjs";
import { eventually, start, stopAll } from "./programs.mjs";
import { execFileSync } from "../limited.mjs";

const work = mkdtempSync(join(tmpdir(), "mayday-gateway-"));
/** Like `start`, with this environment beside the usual. */
const startWith = (program, words, env) => start(program, words, { env: { PATH: process.env.PATH, HOME: work, ...env } });

after(async () => {
  await stopAll();
  rmSync(work, { recursive: true, force: true });
});

/** A provider whose every answer costs a dollar: 400,000 tokens of gpt-4o. */
async function provide() {
  const provider = createServer(async (ask, answer) => {
    let body = "";
    for await (const piece of ask) body += piece;
    const { model } = JSON.parse(body);
    provider.asked += 1;
    answer.setHeader("content-type", "application/json");
    const message = { role: "assistant", content: "fine" };
    const usage = { prompt_tokens: 400_000, completion_tokens: 0, total_tokens: 400_000 };
    answer.end(JSON.stringify({ id: String(provider.asked), object: "chat.completion", created: 1, model, choices: [{ index: 0, finish_reason: "stop", message }], usage }));
  }).listen(0, "127.0.0.1");
  provider.asked = 0;
  await once(provider, "listening");
  return provider;
}

/** Asks for one answer, and says how that went. */
const agent = `echo "key: $OPENAI_API_KEY"
echo "$OPENAI_API_KEY" >> "${work}/keys"
curl --silent --max-time 60 --output "${work}/answer-$MAYDAY_SESSION_ID" --write-out 'answer %{http_code}' "$OPENAI_BASE_URL/chat/completions" \\
  --header "Authorization: Bearer $OPENAI_API_KEY" --header 'Content-Type: application/json' \\
  --data '{"model": "openai/gpt-4o", "max_tokens": 1, "messages": [{"role": "user", "content": "hello"}]}'
sleep 2`;

test("ten sessions of a person share a cap of LiteLLM's, and leave no key there", async (context) => {
  const provider = await provide();
  const litellm = await startGateway(work, {
    OPENAI_API_KEY: "sk-of-the-provider",
    OPENAI_API_BASE: `http://127.0.0.1:${provider.address().port}/v1`,
  });
  const gateway = litellm.url;
  const server = startWith(binary, ["serve", "--data-dir", join(work, "data"), "--listen", "127.0.0.1:0"], {
    SERVICE_ANONYMOUS_TELEMETRY_DISABLED: "true",
    AGENT_GATEWAY_DEFAULT_ORG_BUDGET_USD: "100",
    ...gatewayVariables(gateway),
  });
  try {
    const site = await eventually("the server", () => /http:\/\/127\.0\.0\.1:\d+/.exec(server.said)?.[0]);
    let token;
    const ask = async (method, path, body, base = site, bearer = token) => {
      const headers = { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) };
      const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
      const text = await answer.text();
      assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    };
    const setup_token = execFileSync(binary, ["setup-token", "--data-dir", join(work, "data")], { encoding: "utf8" }).trim();
    ({ access_token: token } = await ask("POST", "/auth/setup", { setup_token, email: "ada@example.net", password: "a long passphrase", organization_name: "Acme" }));
    const runner = (await ask("POST", "/api/runners", { name: "here" })).token;
    await isReady(litellm);
    const ids = [];
    for (let count = 0; count < 10; count++) ids.push((await ask("POST", "/api/sessions", { prompt: "Say hello" })).session.id);
    startWith(binary, ["runner", "--work-dir", join(work, "runner"), "--capacity", "2", "--isolation", "none", "--command", agent], { MAYDAY_URL: site, MAYDAY_RUNNER_TOKEN: runner });
    const sessions = async () => (await ask("GET", "/api/sessions?limit=100")).sessions;
    let seen = [];
    const ended = await eventually("the end of all sessions", async () => {
      seen = await sessions();
      return seen.every((one) => one.ended_at) && seen;
    }, 240).catch((error) => {
      throw new Error(`${JSON.stringify(seen.map((one) => [one.status, one.reason]))} ${error} ${litellm.said.slice(-3000)}`);
    });
    assert.deepEqual(new Set(ended.map((one) => one.outcome)), new Set(["completed"]), JSON.stringify(ended.map((one) => one.reason)));

    // Each key was another one, none was shown, and a dollar for each answer was spent.
    const keys = readFileSync(join(work, "keys"), "utf8").trim().split("\n");
    assert.equal(new Set(keys).size, 10);
    const said = await Promise.all(ids.map(async (id) => JSON.stringify(await ask("GET", `/api/sessions/${id}/messages`))));
    const codes = said.map((text) => /answer (\d+)/.exec(text)?.[1]).sort();
    context.diagnostic(codes.join(" "));
    const passed = codes.filter((code) => code === "200").length;
    // What two sessions ask for at once may be one answer more.
    assert.ok(passed === 5 || passed === 6, `${codes}: ${readFileSync(join(work, `answer-${ids[9]}`), "utf8")}`);
    assert.equal(provider.asked, passed);
    assert.ok(said.every((text) => text.includes("key: [masked]") && !keys.some((key) => text.includes(key))));
    assert.match(readFileSync(join(work, `answer-${ids[9]}`), "utf8"), /budget/i);

    // What LiteLLM wrote down is the sessions' cost, and the keys are gone.
    await eventually(() => `the costs; LiteLLM: ${litellm.said.slice(-2000)}`, async () => {
      const sum = (await sessions()).reduce((all, one) => all + one.cost_usd, 0);
      return Math.abs(sum - passed) < 1e-6;
    });
    const user = async () => (await ask("GET", "/user/info?" + new URLSearchParams({ user_id: await name() }), undefined, gateway, master));
    const name = async () => (await ask("GET", `/user/list?page_size=100`, undefined, gateway, master)).users.map((one) => one.user_id).find((id) => /^mayday-.*-user-\d+$/.test(id));
    await eventually("no keys", async () => (await user()).keys.length === 0);
    const { max_budget, budget_duration, spend } = (await user()).user_info;
    assert.deepEqual([max_budget, budget_duration, Math.round(spend * 1e6) / 1e6], [5, "1mo", passed]);
    for (const key of keys) {
      const answer = await fetch(`${gateway}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
      assert.ok([401, 403].includes(answer.status), `${answer.status}`);
    }
    assert.ok(!server.said.includes(master));
  } finally {
    provider.closeAllConnections();
    provider.close();
  }
});

test("a proxy that ends early is not waited for", async () => {
  const litellm = Object.assign(start(process.execPath, ["--eval", "process.exit(7)"]), { url: "http://127.0.0.1:1" });
  const began = Date.now();
  await assert.rejects(isReady(litellm), /has ended with 7/);
  assert.ok(Date.now() - began < 100_000, "not until the end of its time");
});
