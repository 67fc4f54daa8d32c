// The whole stack on real containers: bootstrap, claim, an error, update, backup, restore. The image is made of the
// binary that the tests built, on a base of Debian's, with Caddy from Debian in front.
//
// Needs root, podman with runc and container DNS, podman-compose, caddy and debootstrap; says which is missing.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const binary = process.env.MAYDAY_BIN ?? join(root, "target", "debug", "mayday");
const base = "localhost/mayday-test-base:bookworm";
const site = "http://localhost";
const owner = { email: "ada@example.net", password: "a long passphrase", name: "Ada", organization_name: "Acme" };

const has = (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const listens = (port) =>
  new Promise((done) => {
    const socket = createConnection(port, "127.0.0.1", () => done(true)).on("error", () => done(false));
    socket.on("connect", () => socket.destroy());
  });

async function missing() {
  if (process.getuid() !== 0) return "only root can run it";
  const programs = ["podman", "runc", "podman-compose", "caddy", "debootstrap", "curl"].filter((program) => !has(program));
  if (programs.length > 0) return `not installed: ${programs.join(", ")}`;
  if (!existsSync("/usr/lib/cni/dnsname") && !has("/usr/lib/podman/aardvark-dns")) return "podman has no DNS: install golang-github-containernetworking-plugin-dnsname and dnsmasq-base";
  if ((await listens(80)) || (await listens(443))) return "port 80 or 443 is in use";
  return undefined;
}

const skip = (await missing()) ?? false;
if (skip) console.log(`The stack is not tried: ${skip}.`);
const work = mkdtempSync(join(tmpdir(), "mayday-stack-"));
const folder = join(work, "deploy");

const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  CONTAINERS_CONF: join(work, "containers.conf"),
  CONTAINERS_STORAGE_CONF: join(work, "storage.conf"),
  MAYDAY_ENGINE: join(work, "engine"),
  MAYDAY_COMPOSE: "podman-compose",
  MAYDAY_CHECK_EMAIL: owner.email,
  MAYDAY_CHECK_PASSWORD: owner.password,
};
const podman = (...words) => execFileSync("podman", words, { env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Runs a script of the deploy folder; its output, once it ended with `code`. */
function run(script, ...words) {
  const { code = 0, ...more } = typeof words.at(-1) === "object" ? words.pop() : {};
  const { status, stdout, stderr } = spawnSync(join(folder, script), words, { env: { ...environment, ...more }, encoding: "utf8" });
  assert.equal(status, code, `${script}: ${stdout}${stderr}`);
  return stdout + stderr;
}

function build(tag, dockerfile, files, ...words) {
  const context = mkdtempSync(join(work, "context-"));
  copyFileSync(dockerfile, join(context, "Dockerfile"));
  for (const [from, to] of files) {
    mkdirSync(dirname(join(context, to)), { recursive: true });
    copyFileSync(from, join(context, to));
  }
  podman("build", "--format", "docker", "--isolation=chroot", ...words, "--tag", tag, context);
  rmSync(context, { recursive: true });
}

const configure = (tag) =>
  writeFileSync(
    join(folder, ".env.static"),
    `SITE_ADDRESS=${site}\nSERVICE_TELEMETRY_MODE=self_managed\nSERVICE_SERVER_IMAGE_TAG=${tag}\nSERVER_IMAGE=localhost/mayday\nSERVICE_CADDY_IMAGE=localhost/mayday-test-caddy:2\n`,
    { mode: 0o600 },
  );

let token;
async function ask(method, path, body, expect = 200) {
  const request = {
    method,
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  };
  // A connection that was kept open may have ended with the proxy's last restart.
  const answer = await fetch(site + path, request).catch(() => fetch(site + path, request));
  const text = await answer.text();
  assert.equal(answer.status, expect, `${method} ${path}: ${text}`);
  return JSON.parse(text);
}

async function eventually(what, look) {
  for (const start = Date.now(); Date.now() - start < 60_000; ) {
    if (await look().catch(() => false)) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  assert.fail(`waited in vain for ${what}`);
}

before(() => {
  if (skip) return;
  writeFileSync(environment.CONTAINERS_CONF, '[containers]\ndefault_ulimits=["nofile=1024:1024","nproc=4096:4096"]\n[engine]\nruntime="runc"\ncgroup_manager="cgroupfs"\n');
  writeFileSync(environment.CONTAINERS_STORAGE_CONF, `[storage]\ndriver="vfs"\nrunroot="${work}/run"\ngraphroot="${work}/graph"\n`);
  // What would be pulled from a registry is on this host.
  writeFileSync(environment.MAYDAY_ENGINE, '#!/bin/sh\n[ "$1" = pull ] && exec podman image exists "$2"\nexec podman "$@"\n');
  chmodSync(environment.MAYDAY_ENGINE, 0o755);
  execFileSync("debootstrap", ["--variant=minbase", "bookworm", join(work, "base")], { stdio: "ignore" });
  execFileSync("sh", ["-c", `tar -C "${work}/base" -c . | podman import - ${base}`], { env: environment, stdio: "ignore" });
  rmSync(join(work, "base"), { recursive: true });
  build(
    "localhost/mayday:server-v0.1.0",
    join(root, "deploy", "Dockerfile"),
    [[binary, "mayday"], [join(root, "deploy", "volume", ".keep"), "deploy/volume/.keep"]],
    "--target=binary", `--build-arg=BASE=${base}`, "--build-arg=BINARY=mayday",
  );
  podman("tag", "localhost/mayday:server-v0.1.0", "localhost/mayday:server-v0.1.1");
  const caddy = join(work, "caddy.Dockerfile");
  writeFileSync(caddy, `FROM ${base}\nCOPY caddy /usr/bin/caddy\nCMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile"]\n`);
  build("localhost/mayday-test-caddy:2", caddy, [[execFileSync("sh", ["-c", "command -v caddy"], { encoding: "utf8" }).trim(), "caddy"]]);
  cpSync(join(root, "deploy"), folder, { recursive: true });
  copyFileSync(join(root, ".env.static.example"), join(folder, ".env.static.example"));
});

after(() => {
  if (!skip && existsSync(folder)) spawnSync("podman-compose", ["-f", "compose.yml", "down", "--volumes"], { cwd: folder, env: environment });
  rmSync(work, { recursive: true, force: true });
});

test("from nothing to a restored instance", { skip }, async () => {
  assert.match(run("bootstrap.sh"), /SITE_ADDRESS/);
  configure("server-v9.9.9");
  assert.match(run("bootstrap.sh", { code: 1 }), /server-v9\.9\.9 is not on this host/);
  configure("server-v0.1.0");
  const setup = /#token=([0-9a-f-]+)/.exec(run("bootstrap.sh"))?.[1];
  ({ access_token: token } = await ask("POST", "/auth/setup", { setup_token: setup, ...owner }, 201));
  // Again: nothing changes, and the instance is claimed.
  assert.doesNotMatch(run("bootstrap.sh"), /#token=/);

  const project = (await ask("POST", "/api/v1/organizations/1/projects", { name: "Shop" }, 201)).id;
  const { key } = await ask("POST", `/api/v1/projects/${project}/api-keys`, { name: "browser" }, 201);
  const issues = async () => (await ask("GET", `/api/v1/projects/${project}/issues?sort=first_seen`)).issues.map(({ title }) => title).sort();
  const send = (message) => ask("POST", "/api/v1/errors", { api_key: key, message }, 202);
  await send("first");
  await eventually("the first issue", async () => (await issues()).length === 1);

  // Nothing but inference reaches the gateway, which is not even there.
  await fetch(`${site}/llm/key/generate`).then(({ status }) => assert.equal(status, 404));

  configure("server-v0.1.1");
  assert.match(run("update.sh"), /Backup: /);
  assert.deepEqual(await issues(), ["first"]);
  const [backup] = readdirSync(join(folder, "backups"));
  await send("second");
  await eventually("the second issue", async () => (await issues()).length === 2);

  const damaged = join(work, "damaged");
  cpSync(join(folder, "backups", backup), damaged, { recursive: true });
  writeFileSync(join(damaged, "data.tar.zst"), "not an archive");
  assert.match(run("restore.sh", "--yes", damaged, { code: 1 }), /damaged/);
  assert.equal((await issues()).length, 2);

  assert.match(run("restore.sh", "--yes", join(folder, "backups", backup)), /health, meta, sign-in/);
  assert.deepEqual(await issues(), ["first"]);
  // An image that cannot be had leaves the running server as it is.
  configure("server-v9.9.9");
  assert.match(run("update.sh", { code: 1 }), /could not be pulled/);
  assert.deepEqual(await issues(), ["first"]);
});
