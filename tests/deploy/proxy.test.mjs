// Caddy in front, with the rules of deploy/Caddyfile: only its names of containers and its address are others here. Behind
// it are the real server and LiteLLM itself (PyPI, without its database), with a provider that answers from this file.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { binary, has, root } from "./folder.mjs";
import { eventually, freePort, start, stopAll } from "./programs.mjs";
import { lacks } from "./untried.mjs";
import { installGateway } from "./venv.mjs";
import { execFileSync } from "../limited.mjs";

const skip = lacks("the server behind Caddy", !has("caddy", "version") && "caddy is not installed");

const work = mkdtempSync(join(tmpdir(), "mayday-proxy-"));
const owner = { email: "ada@example.net", password: "a long passphrase", organization_name: "Acme" };
const master = "sk-the-master-key";
let site, address, port, token, project, key, gateway;

/** A request through Caddy, from another address of this host. */
function send(method, path, { headers = {}, body, from = "127.0.0.1" } = {}) {
  return new Promise((done, failed) => {
    const asked = request({ host: "127.0.0.1", port, method, path, headers: { host: `localhost:${port}`, ...headers }, localAddress: from }, async (answer) => {
      let text = "";
      for await (const piece of answer) text += piece;
      done({ status: answer.statusCode, headers: answer.headers, text, json: () => JSON.parse(text) });
    });
    asked.on("error", failed);
    asked.end(body);
  });
}

const json = async (method, path, body, expect = 200, more = {}) => {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }), ...more.headers };
  const answer = await send(method, path, { body: body && JSON.stringify(body), ...more, headers });
  assert.equal(answer.status, expect, `${method} ${path}: ${answer.text}`);
  return answer.text && answer.json();
};

before(async () => {
  if (skip) return;
  port = await freePort();
  gateway = await freePort();
  site = `http://localhost:${port}`;
  const server = start(binary, ["serve", "--data-dir", join(work, "data"), "--listen", "127.0.0.1:0"], { env: { SITE_ADDRESS: site, SERVICE_TRUSTED_PROXIES: "127.0.0.1", SERVICE_ANONYMOUS_TELEMETRY_DISABLED: "true" } });
  address = await eventually("the server", () => /http:\/\/(127\.0\.0\.1:\d+)/.exec(server.said)?.[1]);
  const rules = readFileSync(join(root, "deploy", "Caddyfile"), "utf8");
  assert.equal(rules.match(/reverse_proxy (server:8000|gateway:4000)/g).length, 2);
  writeFileSync(join(work, "Caddyfile"), `${rules.replace("{\n", "{\n\tadmin off\n").replace("server:8000", address).replace("gateway:4000", `127.0.0.1:${gateway}`)}`);
  const caddy = start("caddy", ["run", "--config", join(work, "Caddyfile"), "--adapter", "caddyfile"], { env: { PATH: process.env.PATH, HOME: work, MAYDAY_SITE: site } });
  await eventually(`Caddy: ${caddy.said}`, async () => (await send("GET", "/health")).status === 200);
  const setup_token = execFileSync(binary, ["setup-token", "--data-dir", join(work, "data")], { encoding: "utf8" }).trim();
  ({ access_token: token } = await json("POST", "/auth/setup", { setup_token, ...owner }, 201));
  project = (await json("POST", "/api/v1/organizations/1/projects", { name: "Shop" }, 201)).id;
  ({ key } = await json("POST", `/api/v1/projects/${project}/api-keys`, { name: "ci", scopes: ["ingest", "releases", "read"] }, 201));
});

after(async () => {
  await stopAll();
  rmSync(work, { recursive: true, force: true });
});

test("the server's own headers pass, once each, and answers are compressed", { skip }, async () => {
  const direct = await fetch(`http://${address}/`);
  const page = await send("GET", "/");
  const own = ["content-security-policy", "x-content-type-options", "referrer-policy", "cross-origin-opener-policy", "permissions-policy", "x-frame-options", "cache-control", "content-type"];
  const told = own.filter((name) => direct.headers.has(name));
  assert.ok(["content-security-policy", "x-content-type-options", "referrer-policy"].every((name) => told.includes(name)), told.join());
  // The policy has a number that is used once.
  const steady = (text) => text.replace(/'nonce-[^']+'/, "'nonce'");
  for (const name of told) assert.equal(steady(page.headers[name]), steady(direct.headers.get(name)), name);
  const script = /<script[^>]+src="([^"]+)"/.exec(page.text)[1];
  const asset = await send("GET", new URL(script, site).pathname, { headers: { "accept-encoding": "gzip" } });
  assert.deepEqual([asset.status, asset.headers["content-encoding"]], [200, "gzip"]);
});

test("the certificate is Caddy's own business, unless compose.local.yml says otherwise", { skip }, () => {
  const policies = (more) => {
    const env = { PATH: process.env.PATH, HOME: work, MAYDAY_SITE: "https://mayday.lan", ...more };
    const adapted = JSON.parse(execFileSync("caddy", ["adapt", "--config", join(root, "deploy", "Caddyfile"), "--adapter", "caddyfile"], { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
    return adapted.apps.tls?.automation?.policies;
  };
  assert.equal(policies(), undefined);
  assert.deepEqual(policies({ MAYDAY_TLS: "tls internal" }), [{ subjects: ["mayday.lan"], issuers: [{ module: "internal" }] }]);
});

test("events of a stream arrive while it is open", { skip }, async () => {
  const asked = request({ host: "127.0.0.1", port, path: `/api/v1/projects/${project}/stream`, headers: { host: `localhost:${port}`, authorization: `Bearer ${token}`, accept: "text/event-stream" } });
  asked.end();
  const [stream] = await once(asked, "response");
  assert.deepEqual([stream.statusCode, stream.headers["content-type"].split(";")[0]], [200, "text/event-stream"]);
  let said = "";
  let ended = false;
  stream.on("data", (text) => (said += text)).on("end", () => (ended = true));
  try {
    await eventually("the first word", () => said.length > 0);
    const before = said.length;
    await json("POST", "/api/v1/errors", { api_key: key, message: "on the stream" }, 202);
    await eventually("the event", () => /^data: /m.test(said.slice(before)));
    assert.ok(!ended);
  } finally {
    asked.destroy();
  }
});

test("a large source map is uploaded, and one over the limit is refused by the server's own words", { skip }, async () => {
  const upload = async (megabytes) => {
    const map = { version: 3, file: "app.js", sources: ["app.ts"], sourcesContent: ["x".repeat(megabytes << 20)], names: [], mappings: "AAAA" };
    const form = new FormData();
    form.set("release", "1.0.0");
    form.set("url", `~/app-${megabytes}.js`);
    form.set("sourcemap", new Blob([JSON.stringify(map)]), "app.js.map");
    const answer = await fetch(`${site}/api/v1/sourcemaps`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: form });
    return [answer.status, await answer.text()];
  };
  const [status, text] = await upload(40);
  assert.equal(status, 201, text);
  const [refused, words] = await upload(60).catch((error) => [0, String(error.cause ?? error)]);
  // Or the connection ends while the rest is still sent.
  assert.ok(refused === 413 && /SERVICE_SOURCEMAP_MAX_MB|50/.test(words) || refused === 0, `${refused} ${words}`);
});

test("a session has the address of the client, whatever the client says", { skip }, async () => {
  const from = "127.0.0.2";
  const login = await json("POST", "/auth/password/login", { email: owner.email, password: owner.password }, 200, { from, headers: { origin: site, authorization: "", "x-forwarded-for": "203.0.113.7" } });
  const { sessions } = await json("GET", "/api/v1/me/sessions", undefined, 200, { headers: { authorization: `Bearer ${login.access_token}` } });
  const current = sessions.find((session) => session.current);
  assert.equal(current.address, from, JSON.stringify(current));
});

test("of LiteLLM, inference alone is reached", { skip }, async (context) => {
  // A provider: it answers with what it was asked, at once or piece by piece.
  const asked = [];
  const provider = createServer(async (ask, answer) => {
    let body = "";
    for await (const piece of ask) body += piece;
    const { stream, model, messages } = JSON.parse(body);
    asked.push([ask.url, ask.headers.authorization, model]);
    const choice = (part) => ({ index: 0, finish_reason: null, ...part });
    if (!stream) {
      answer.setHeader("content-type", "application/json");
      return void answer.end(JSON.stringify({ id: "1", object: "chat.completion", created: 1, model, choices: [choice({ finish_reason: "stop", message: { role: "assistant", content: `you said ${messages[0].content}` } })], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }));
    }
    answer.setHeader("content-type", "text/event-stream");
    const say = (content) => answer.write(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model, choices: [choice({ delta: { role: "assistant", content } })] })}\n\n`);
    say("first");
    // The rest only when the first has been seen.
    provider.once("go on", () => {
      say("second");
      answer.end("data: [DONE]\n\n");
    });
  }).listen(0, "127.0.0.1");
  await once(provider, "listening");
  try {
    const started = Date.now();
    const programs = installGateway();
    const litellm = start(join(programs, "litellm"), ["--config", join(root, "deploy", "gateway.yaml"), "--host", "127.0.0.1", "--port", String(gateway), "--telemetry", "False"], {
      env: { PATH: process.env.PATH, HOME: work, LITELLM_MASTER_KEY: master, OPENAI_API_KEY: "sk-of-the-provider", OPENAI_API_BASE: `http://127.0.0.1:${provider.address().port}/v1`, LITELLM_LOCAL_MODEL_COST_MAP: "True" },
    });
    await eventually("LiteLLM", async () => {
      assert.equal(litellm.exitCode, null, litellm.said);
      return (await fetch(`http://127.0.0.1:${gateway}/health/liveliness`)).ok;
    }, 300);
    context.diagnostic(`LiteLLM was up after ${Math.round((Date.now() - started) / 1000)} s`);
    const complete = (more = {}, headers = {}) => send("POST", "/llm/v1/chat/completions", { headers: { "content-type": "application/json", authorization: `Bearer ${master}`, ...headers }, body: JSON.stringify({ model: "openai/gpt-5", messages: [{ role: "user", content: "hello" }], ...more }) });
    const answer = await complete();
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json().choices[0].message.content, "you said hello");
    assert.deepEqual(asked, [["/v1/chat/completions", "Bearer sk-of-the-provider", "gpt-5"]]);
    assert.ok((await complete({}, { authorization: "Bearer sk-somebody" })).status >= 400);
    assert.equal(asked.length, 1, "nobody without a key of the gateway reaches a provider");
    // Answers in pieces are passed on as they come.
    const streamed = request({ host: "127.0.0.1", port, method: "POST", path: "/llm/v1/chat/completions", headers: { host: `localhost:${port}`, "content-type": "application/json", authorization: `Bearer ${master}` } });
    streamed.end(JSON.stringify({ model: "openai/gpt-5", stream: true, messages: [{ role: "user", content: "hello" }] }));
    const [pieces] = await once(streamed, "response");
    let text = "";
    pieces.on("data", (piece) => (text += piece));
    await eventually("the first piece", () => text.includes("first"));
    assert.ok(!text.includes("second"));
    provider.emit("go on");
    await eventually("the rest", () => text.includes("second") && text.includes("[DONE]"));
    // Its administration answers here, and not outside.
    const inside = await fetch(`http://127.0.0.1:${gateway}/health/readiness`);
    assert.equal(inside.status, 200);
    for (const path of ["/llm", "/llm/", "/llm/health/readiness", "/llm/key/generate", "/llm/model/info", "/llm/ui", "/llm/docs", "/llm/v1", "/llm/v1/%2e%2e/key/generate", "/llm/v1/../health/readiness", "/llm/v1/..%2fkey/generate", "/llm//key/generate", "/LLM/key/generate", "/llm/openapi.json"]) {
      const { status, text } = await send("GET", path, { headers: { authorization: `Bearer ${master}` } });
      assert.ok(status === 404 && !/litellm/i.test(text), `${path}: ${status} ${text.slice(0, 200)}`);
    }
  } finally {
    provider.closeAllConnections();
    provider.close();
  }
});
