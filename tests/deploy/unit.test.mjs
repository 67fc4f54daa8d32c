// The systemd unit allows every system call that the server makes. Under a real systemd a call that is missing ends or
// cripples the server, and few test machines have one; strace and systemd's own lists are enough to see it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { execFileSync, spawnSync } from "../limited.mjs";
import { lacks } from "./untried.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const binary = process.env.MAYDAY_BIN ?? join(root, "target", "debug", "mayday");
const has = (program, ...words) => spawnSync(program, words).status === 0;
const skip =
  lacks("whether the unit allows what the server calls", (!has("strace", "--version") && "strace is not installed") || (!has("systemd-analyze", "syscall-filter") && "systemd-analyze is not installed"));

/** The calls of a group or of a bare name. */
function calls(name) {
  if (!name.startsWith("@")) return [name];
  const listed = execFileSync("systemd-analyze", ["syscall-filter", name], { encoding: "utf8" });
  const names = listed.split("\n").slice(1).map((line) => line.trim());
  return names.filter((line) => /^@?[a-z0-9_-]+$/.test(line)).flatMap(calls);
}

/** What the lines of the unit leave, taken in their order. */
function allowed(unit) {
  const left = new Set();
  for (const [, deny, names] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    for (const call of names.split(" ").flatMap(calls)) deny ? left.delete(call) : left.add(call);
  }
  return left;
}

test("the unit allows every system call of a server that is claimed, takes logs and is backed up", { skip }, async () => {
  const work = mkdtempSync(join(tmpdir(), "mayday-unit-"));
  const data = join(work, "data");
  const trace = join(work, "trace");
  const server = spawn("strace", ["-f", "-qq", "-e", "signal=none", "-o", trace, binary, "serve", "--data-dir", data, "--listen", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [said] = await once(server.stdout, "data");
    const site = /http:\/\/127\.0\.0\.1:\d+/.exec(said.toString())[0];
    const post = async (path, body, token) => {
      const answer = await fetch(site + path, { method: "POST", headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) }, body: JSON.stringify(body) });
      assert.ok(answer.ok, `${path}: ${answer.status}`);
      return answer.json();
    };
    const setup_token = execFileSync(binary, ["setup-token", "--data-dir", data], { encoding: "utf8" }).trim();
    const { access_token: token } = await post("/auth/setup", { setup_token, email: "a@example.net", password: "a long passphrase", organization_name: "A" });
    const { id } = await post("/api/v1/organizations/1/projects", { name: "Shop" }, token);
    const { key: api_key } = await post(`/api/v1/projects/${id}/api-keys`, { name: "k" }, token);
    await post("/api/v1/errors", { api_key, message: "first" });
    await post("/api/v1/logs/batch", { api_key, logs: [{ timestamp: Date.now() / 1000, level: "info", message: "one" }] });
    execFileSync(binary, ["backup", "--data-dir", data, "--output", join(work, "backup.tar.zst")]);
    const inner = execFileSync("pgrep", ["-P", String(server.pid)], { encoding: "utf8" }).trim();
    process.kill(Number(inner), "SIGTERM");
    await once(server, "exit");
    const made = new Set([...readFileSync(trace, "utf8").matchAll(/^\d+ +(?:<\.\.\. )?([a-z0-9_]+)(?:\(| resumed)/gm)].map(([, call]) => call));
    assert.ok(made.has("openat") && made.has("setpriority"), [...made].join(" "));
    // SQLite, as root only.
    made.delete("fchown");
    const unit = allowed(readFileSync(join(root, "deploy", "mayday.service"), "utf8"));
    assert.deepEqual([...made].filter((call) => !unit.has(call)), []);
  } finally {
    server.kill("SIGKILL");
    rmSync(work, { recursive: true, force: true });
  }
});
