// The model gateway beside the instance. A part of stack.test.mjs.

import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { configuration, doctor, noGateway, publish, stack } from "./instance.mjs";
import { inWork, name, podman, prepareGateway, site, version } from "./stack.mjs";

test("the gateway runs beside, its database is in the backups, and only inference reaches it", { skip: noGateway }, async () => {
  prepareGateway();
  const images = ["SERVICE_GATEWAY_IMAGE=localhost/mayday-test-gateway:1", "SERVICE_GATEWAY_DATABASE_IMAGE=localhost/mayday-test-postgres:15"];
  const provider = "sk-a-providers-key";
  const get = async (path) => {
    const answer = await fetch(site + path).catch(() => fetch(site + path));
    return [answer.status, await answer.text()];
  };
  // Not there yet.
  assert.equal((await get("/llm/key/generate"))[0], 404);

  for (const name of ["mayday", "registry/mayday"]) podman("tag", "localhost/mayday:server-v0.1.0", `localhost/${name}:stable`);
  stack.configure("stable", ...images, "AGENT_GATEWAY_ENABLED=true", `OPENAI_API_KEY=${provider}`, "MAIL_API_KEY=the-servers-key", "MAIL_FROM_EMAIL=mayday@example.net");
  assert.match(stack.run("bootstrap.sh"), /Health of the gateway's database\s+healthy[\s\S]*Health of the gateway\s+healthy/);
  assert.deepEqual(await get("/llm/v1/chat/completions?a=1"), [200, "gateway: GET /v1/chat/completions?a=1"]);
  for (const path of ["/llm", "/llm/", "/llm/key/generate", "/llm/health/liveliness", "/llm/v1", "/llm/v1/%2e%2e/key/generate", "/llm/v1/..%2fkey/generate", "/llm/%76%31/../ui", "/llm//key/generate", "/LLM/key/generate"]) {
    const [status, text] = await get(path);
    assert.ok(status === 404 && !text.startsWith("gateway"), `${path}: ${status} ${text}`);
  }
  // No port is published, and the provider's key is the gateway's alone.
  const has = (service, text) => podman("inspect", "--format", "{{.Config.Env}}", `${name}_${service}_1`).includes(text);
  assert.deepEqual(["server", "caddy", "gateway", "gateway-database"].filter((service) => has(service, provider)), ["gateway"]);
  assert.ok(configuration().includes("MAIL_API_KEY=the-servers-key") && !has("gateway", "the-servers-key"));
  assert.ok(!configuration().includes(provider));
  assert.equal(podman("port", `${name}_gateway_1`).trim(), "");
  assert.equal(doctor()["gateway-database"].level, "ok");

  const sql = (statement) => podman("exec", `${name}_gateway-database_1`, "psql", "-U", "gateway", "-A", "-t", "-c", statement, "gateway").trim();
  sql("create table keys (name text); insert into keys values ('one')");
  // Nothing but the meaning of the tag is new.
  publish("server-v0.2.0", "stable");
  const line = /^The way back.*: \S+\/restore\.sh (\S+)$/m.exec(stack.run("update.sh"));
  assert.equal(await version(), "0.2.0");
  assert.equal(sql("select count(*) from keys"), "1");
  sql("insert into keys values ('two')");
  // A dump that is not whole leaves the gateway's database as it was.
  const broken = inWork("broken");
  cpSync(line[1], broken, { recursive: true });
  rmSync(join(broken, "SHA256SUMS"));
  writeFileSync(join(broken, "gateway.sql"), `${readFileSync(join(line[1], "gateway.sql"), "utf8")}\nnot a statement;\n`);
  const failed = stack.run("restore.sh", "--yes", broken, { code: 1 });
  assert.match(failed, /^Gateway +failed \(\d+ s\)\n.*the gateway's database could not be restored: ERROR: .*\n {2}It is as it was\./m);
  assert.equal(sql("select string_agg(name, ',') from keys"), "one,two");
  assert.match(stack.run("restore.sh", "--yes", line[1]), /Gateway[\s\S]*health, meta, http:\S+, sign-in/);
  assert.equal(sql("select string_agg(name, ',') from keys"), "one");
  assert.equal(await version(), "0.1.0");

  // Switched off, it runs on.
  stack.configure("server-v0.1.0", ...images);
  stack.run("bootstrap.sh");
  assert.equal((await get("/llm/v1/models"))[0], 200);
  const off = doctor();
  assert.match(off.gateway.text, /runs, although/);
  assert.equal(off.gateway.level, "warning");
});
