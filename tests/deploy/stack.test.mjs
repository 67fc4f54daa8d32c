// The whole stack on real containers: bootstrap, claim, an error, a failing update, an update that is killed at every
// step, the way back, a fresh directory; then the gateway. There is one binary: the images of later versions make the
// debug build play one, with a migration (`src/version.rs`).
//
// Needs root, podman with runc and container DNS, and caddy, and PostgreSQL 15 and busybox for the
// gateway; says which is missing.

import assert from "node:assert/strict";
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, calls, discard, eventually, Folder, host, inWork, name, owner, podman, prepare, prepareGateway, secureSite, signIn, site, version, withoutDatabase, withoutStack } from "./stack.mjs";
import { freePort } from "./programs.mjs";
import { cannot } from "./untried.mjs";
import { startStorage } from "./storage.mjs";
import { execFileSync, spawnSync } from "../limited.mjs";

const skip = withoutStack("the stack on real containers");
const noGateway = skip || withoutDatabase("the gateway in the stack");

let stack;
let project;
let key;
const issues = async () => (await ask("GET", `/api/v1/projects/${project}/issues?sort=first_seen`)).issues.map(({ title }) => title).sort();
const report = async (message) => {
  await ask("POST", "/api/v1/errors", { api_key: key, message }, 202);
  await eventually(`the issue ${message}`, async () => (await issues()).includes(message));
};
const backups = () => (existsSync(join(stack.path, "backups")) ? readdirSync(join(stack.path, "backups")).sort() : []);
/** Moves a tag of the registry. */
const publish = (tag, as) => podman("tag", `localhost/mayday:${tag}`, `localhost/registry/mayday:${as}`);
/** What the server in its container is configured with. */
const configuration = () => {
  podman("cp", `${name}_server_1:/run/mayday/env`, inWork("env"));
  return readFileSync(inWork("env"), "utf8");
};
const doctor = (code = 0, more = {}) => {
  const text = stack.run("doctor.sh", "--json", { code, ...more });
  for (const name of [".env.generated", ".env.static"]) {
    for (const [, secret] of stack.read(name).matchAll(/(?:SECRET|SECRET_KEY|PASSWORD|_KEY|TOKEN)=(.{4,})$/gm)) assert.ok(!text.includes(secret), name);
  }
  return Object.fromEntries(JSON.parse(text).findings.map((finding) => [finding.about, finding]));
};

before(() => {
  if (skip) return;
  prepare();
  publish("server-v0.1.0", "stable");
  podman("tag", "localhost/mayday:server-v0.1.0", "localhost/mayday:stable");
  stack = new Folder("deploy");
});

after(() => {
  stack?.remove();
  discard();
});

test("from nothing to the first error", { skip }, async () => {
  assert.match(stack.run("bootstrap.sh"), /SITE_ADDRESS/);
  stack.configure("server-v9.9.9");
  assert.match(stack.run("bootstrap.sh", { code: 1 }), /server-v9\.9\.9 is not on this host/);
  assert.equal(doctor(1).server.text, "has no container");
  // Nor is any other image fetched.
  stack.configure("stable", "SERVICE_CADDY_IMAGE=localhost/other-caddy:1");
  assert.match(stack.run("bootstrap.sh", { code: 1 }), /localhost\/other-caddy:1 is not on this host\n {2}Pull it: /);
  assert.doesNotMatch(calls(), /^pull/m);
  stack.configure("stable");
  // A server that cannot start is waited for by nobody.
  writeFileSync(join(stack.path, "compose.local.yml"), "services:\n  server:\n    entrypoint: /nowhere\n");
  assert.match(stack.run("bootstrap.sh", { code: 1 }), /the stack did not start: .*\/nowhere.*\n {2}All of its output/);
  rmSync(join(stack.path, "compose.local.yml"));
  const setup = /#token=([0-9a-f-]+)/.exec(stack.run("bootstrap.sh"))?.[1];
  const { access_token: token } = await ask("POST", "/auth/setup", { setup_token: setup, ...owner }, 201);
  signIn(token);
  project = (await ask("POST", "/api/v1/organizations/1/projects", { name: "Shop" }, 201)).id;
  ({ key } = await ask("POST", `/api/v1/projects/${project}/api-keys`, { name: "browser" }, 201));
  await report("first");
});

test("bootstrap changes nothing, and never pulls", { skip }, async () => {
  publish("server-v0.3.0", "stable");
  assert.doesNotMatch(stack.run("bootstrap.sh"), /#token=/);
  assert.doesNotMatch(calls(), /^pull/m);
  assert.equal(await version(), "0.1.0");
});

test("a second instance on this host needs a name, ports and a network of its own", { skip }, async () => {
  const second = new Folder("second");
  second.configure("stable");
  const refused = new RegExp(`belong to ${stack.path}: give this instance a SERVICE_STACK_NAME`);
  assert.match(second.run("bootstrap.sh", { code: 1 }), refused);
  assert.equal(await version(), "0.1.0");
  const [http, https] = [await freePort(), await freePort()];
  const own = [`SITE_ADDRESS=http://localhost:${http}`, `SERVICE_STACK_NAME=${name}-second`, `SERVICE_HTTP_PORT=${http}`, `SERVICE_HTTPS_PORT=${https}`, "SERVICE_PROXY_NETWORK=172.29.7.0/24"];
  second.configure("stable", ...own);
  assert.match(second.run("bootstrap.sh"), /#token=/);
  assert.equal((await fetch(`http://localhost:${http}/health`)).status, 200);
  assert.deepEqual(await issues(), ["first"]);
  // Its network may become another one, its name may not.
  second.configure("stable", ...own.slice(0, 4), "SERVICE_PROXY_NETWORK=172.29.8.0/24");
  second.run("bootstrap.sh");
  assert.match(podman("network", "inspect", `${name}-second_front`), /172\.29\.8\.0/);
  second.configure("stable", ...own.with(1, `SERVICE_STACK_NAME=${name}-third`));
  assert.match(second.run("bootstrap.sh", { code: 1 }), new RegExp(`is in the volume ${name}-second_data: keep SERVICE_STACK_NAME=${name}-second`));
  second.configure("stable", ...own);
  second.remove();
  assert.doesNotMatch(podman("network", "ls") + podman("volume", "ls") + podman("ps", "--all"), /-second/);
});

test("the server gets every value as it stands in .env.static", { skip }, async () => {
  const said = "it's \"5\" $HOME ${HOME} #1 %s é \\n \\";
  // An unpaired quote takes no line with it.
  stack.configure("stable", "INSTANCE_FAVICON_URL='", `INSTANCE_NAME=${said}`, "HOST_OAUTH_CLIENT_ID=1", "HOST_OAUTH_CLIENT_SECRET=se cret #x");
  stack.run("bootstrap.sh");
  assert.equal((await ask("GET", "/meta")).capabilities.deployment.displayName, said);
  assert.match(configuration(), /^HOST_OAUTH_CLIENT_SECRET=se cret #x$/m);
  stack.configure("stable");
  stack.run("bootstrap.sh");
});

test("the doctor finds a running instance well, and what is missing", { skip }, () => {
  const found = doctor();
  for (const [about, level, text] of [
    ["server", "ok", /^runs/],
    ["caddy", "ok", /^runs/],
    ["health", "ok", /is Mayday 0\.1\.0/],
    ["address", "ok", /\/health and \/meta answer, version 0\.1\.0/],
    ["certificate", "ok", /needs none/],
    ["version", "ok", /the server runs 0\.1\.0, the image of localhost\/mayday:stable/],
    ["disk", "ok", /MiB are free, and the data has \d+ MiB/],
    ["backup", "warning", /there is none/],
    ["clock", "ok", /UTC/],
  ]) {
    assert.equal(found[about]?.level, level, about);
    assert.match(found[about].text, text);
  }
  assert.match(stack.run("doctor.sh"), /^ok {7}server/m);
});

test("the server has no rights in its container, and writes to its volume and /tmp only", { skip }, () => {
  const pid = podman("inspect", "--format", "{{.State.Pid}}", `${name}_server_1`).trim();
  const of = Object.fromEntries(readFileSync(`/proc/${pid}/status`, "utf8").split("\n").map((line) => line.split(/:\s+/)));
  for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) assert.match(of[set], /^0+$/, set);
  assert.equal(of.NoNewPrivs, "1");
  for (const ids of ["Uid", "Gid"]) assert.match(of[ids], /^10001\s+10001\s+10001\s+10001$/, ids);
  // What is mounted there, as the kernel tells it. Some files of the network are the engine's, and podman adds places in memory.
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, "utf8").trim().split("\n").map((line) => line.split(" "));
  const disks = mounts.filter((words) => !/^\/(proc|sys|dev)(\/|$)|^\/etc\/(hosts|hostname|resolv\.conf)$|^\/run\/\.containerenv$/.test(words[4]));
  assert.ok(disks.some((words) => words[4] === "/"));
  const writable = disks.filter((words) => /^rw(,|$)/.test(words[5]));
  const kept = writable.filter((words) => words[words.indexOf("-") + 1] !== "tmpfs");
  assert.deepEqual(kept.map((words) => words[4]).sort(), ["/backups", "/data"]);
  for (const words of writable) if (!kept.includes(words)) assert.match(words[5], /nosuid,nodev/, words[4]);
});

test("a failing migration starts the previous image again, and the data is unharmed", { skip }, async () => {
  const said = stack.run("update.sh", { code: 1 });
  assert.match(said, /could not be migrated/);
  assert.match(said, /the previous image runs again/);
  assert.match(calls(), /^pull localhost\/mayday:stable$/m);
  assert.equal(await version(), "0.1.0");
  assert.deepEqual(await issues(), ["first"]);
  // The second database's fails, once the first has its new schema.
  publish("server-v0.4.0", "stable");
  const half = stack.run("update.sh", { code: 1 });
  assert.match(half, /could not be migrated: .*rehearsals failed.*main\.db was migrated before that, and is again as it was/);
  assert.match(half, /The data is unchanged, and the previous image runs again/);
  assert.equal(await version(), "0.1.0");
  assert.deepEqual(await issues(), ["first"]);
  await report("second");
});

test("an update that fails at any step says what is, and the printed line goes back", { skip }, async () => {
  publish("server-v0.2.0", "stable");
  for (const [step, what] of [
    ["backup", /could not be backed up: backup fails, says the test/],
    ["stop", /could not be stopped: stop fails, says the test/],
  ]) {
    assert.match(stack.run("update.sh", { code: 1, MAYDAY_TEST_AT: `failing ${step}` }), what);
    assert.equal(await version(), "0.1.0", step);
  }
  // Migrated by then.
  const said = stack.run("update.sh", { code: 1, MAYDAY_TEST_AT: "failing start" });
  assert.match(said, /the new server did not start: start fails, says the test/);
  assert.match(doctor(1).server.text, /does not run/);
  const [, line] = /^The way back.*: \S+\/restore\.sh (\S+)$/m.exec(said);
  assert.match(stack.run("restore.sh", "--yes", line), /health, meta, http:\S+, sign-in/);
  assert.equal(await version(), "0.1.0");
  assert.deepEqual(await issues(), ["first", "second"]);
  stack.configure("stable");
});

test("an update that is killed at any step is finished by running it again", { skip }, async () => {
  publish("server-v0.2.0", "stable");
  const generated = stack.read(".env.generated");
  writeFileSync(join(stack.path, ".env.generated"), generated.replace(/^POSTGRES_PASSWORD=.*\n/m, ""), { mode: 0o600 });
  for (const when of ["before secrets", "after secrets", "before preflight", "before pull", "after pull", "before backup", "during backup", "after backup", "before stop"]) {
    stack.killed(when, "update.sh");
    assert.equal(await version(), "0.1.0", when);
  }
  assert.deepEqual(await issues(), ["first", "second"]);
  const made = backups().filter((name) => !name.endsWith(".part"));
  for (const when of ["after stop", "before migrate", "during migrate", "after migrate", "before start"]) stack.killed(when, "update.sh");
  // The way back is the backup from before all this.
  assert.match(stack.run("doctor.sh", { code: 1 }), /an update was interrupted/);
  stack.killed("after start", "update.sh");
  const said = stack.run("update.sh");
  assert.equal(await version(), "0.2.0");
  assert.deepEqual(await issues(), ["first", "second"]);
  assert.ok(!existsSync(join(stack.path, ".update")));
  assert.ok(backups().length > made.length && backups().every((name) => !name.endsWith(".part")), backups().join(" "));
  assert.match(said, /Backup: /);
  assert.notEqual(/^POSTGRES_PASSWORD=(.*)$/m.exec(stack.read(".env.generated"))?.[1] ?? "", "");
  for (const name of ["JWT_SECRET", "CLOUD_SECRET_KEY"]) {
    const of = (text) => new RegExp(`^${name}=(.*)$`, "m").exec(text)[1];
    assert.equal(of(stack.read(".env.generated")), of(generated), name);
  }
});

test("the printed line goes back to the image and the data from before a migration", { skip }, async () => {
  // Back to the first version by its oldest backup, as an operator would have to who noticed only now.
  const oldest = join(stack.path, "backups", backups()[0]);
  for (const when of ["before restore", "during restore", "after restore"]) stack.killed(when, "restore.sh", "--yes", oldest);
  assert.match(stack.run("restore.sh", oldest, { input: "y\n" }), /health, meta, http:\S+, sign-in/);
  assert.equal(await version(), "0.1.0");
  assert.deepEqual(await issues(), ["first"]);
  await report("third");

  stack.configure("server-v0.2.0");
  const said = stack.run("update.sh");
  assert.equal(await version(), "0.2.0");
  await report("fourth");
  const line = /^The way back.*: (\S+)\/restore\.sh (\S+)$/m.exec(said);
  assert.equal(line?.[1], stack.path);
  assert.match(stack.run("restore.sh", line[2], { input: "n\n", code: 1 }), /Nothing was changed/);
  assert.match(stack.run("restore.sh", line[2], { input: "y\n" }), /health, meta, http:\S+, sign-in/);
  assert.equal(await version(), "0.1.0");
  assert.deepEqual(await issues(), ["first", "third"]);
});

test("what cannot be had or read changes nothing", { skip }, async () => {
  const present = await issues();
  const damaged = inWork("damaged");
  cpSync(join(stack.path, "backups", backups()[0]), damaged, { recursive: true });
  writeFileSync(join(damaged, "data.tar.zst"), "not an archive");
  assert.match(stack.run("restore.sh", "--yes", damaged, { code: 1 }), /damaged/);
  // A disk without room for a backup. The server's own has room.
  const small = inWork("small");
  mkdirSync(small);
  if (!cannot("a backup on a disk that is full", spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", small]).status !== 0 && "no file system can be mounted")) {
    try {
      const full = stack.run("backup.sh", join(small, "kept"), { code: 1 });
      assert.match(full, /^Data +failed \(\d+ s\)\n.*the data could not be backed up: mayday: there is not enough room in .*, and [\d.]+ KiB are free .*\n {2}All of the output/m);
      assert.deepEqual(readdirSync(small), []);
    } finally {
      execFileSync("umount", [small]);
    }
  }
  stack.configure("server-v9.9.9");
  assert.match(stack.run("update.sh", { code: 1 }), /could not be pulled/);
  assert.equal(await version(), "0.1.0");
  assert.deepEqual(await issues(), present);
});

test("a backup restores the instance in a fresh directory, with https", { skip }, async () => {
  const present = await issues();
  // With a file that only root may read here, and the server there.
  const app = inWork("secret", "app.pem");
  const pem = "-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n";
  mkdirSync(inWork("secret"), { mode: 0o700 });
  writeFileSync(app, pem, { mode: 0o600 });
  const health = `${secureSite}/health`;
  stack.configure("server-v0.1.0", `SITE_ADDRESS=${secureSite}`, `SERVICE_PUBLIC_HEALTHCHECK_URL=${health}`, `SERVICE_HOST_APP_PRIVATE_KEY_FILE=${app}`);
  // Nobody knows the authority yet that Caddy makes for itself.
  writeFileSync(inWork(".curlrc"), "insecure\n");
  assert.match(stack.run("bootstrap.sh", { CURL_HOME: inWork() }), new RegExp(`^Health of ${health} +healthy`, "m"));
  const authority = inWork("authority.crt");
  podman("cp", `${name}_caddy_1:/data/caddy/pki/authorities/local/root.crt`, authority);
  const curl = (...words) => execFileSync("curl", ["--silent", "--show-error", "--max-time", "10", "--cacert", authority, ...words], { encoding: "utf8" });
  assert.match(curl(health), /"ok"/);
  assert.match(curl("--head", site), /^HTTP\/1\.1 308 [\s\S]*location: https:\/\/localhost/i);
  assert.match(curl("--head", secureSite), /strict-transport-security: /i);
  assert.match(doctor(0, { CURL_CA_BUNDLE: authority }).certificate.text, /is by Caddy's own authority/);
  const target = inWork("kept");
  assert.match(stack.run("backup.sh", target), /^Certificates +done [\s\S]*Backup: /m);
  assert.deepEqual([target, join(target, "certificates.tar")].map((path) => statSync(path).mode & 0o077), [0, 0]);
  stack.remove();
  rmSync(inWork("secret"), { recursive: true });
  stack = new Folder("elsewhere");
  // The image is of another host.
  const digest = `registry.example.net/mayday@sha256:${"0".repeat(64)}`;
  writeFileSync(join(target, "image"), `MAYDAY_IMAGE=localhost/mayday:server-v0.1.0\nMAYDAY_IMAGE_ID=${"0".repeat(64)}\nMAYDAY_IMAGE_DIGEST=${digest}\n`);
  rmSync(join(target, "SHA256SUMS"));
  const said = stack.run("restore.sh", target, { CURL_CA_BUNDLE: authority });
  // Its certificate is by the authority of before.
  assert.match(said, /^Certificates +done /m);
  assert.match(said, /health, meta, https:\S+, sign-in/);
  assert.match(said, new RegExp(`warning: the image that ran .* is not on this host, and localhost/mayday:server-v0\\.1\\.0 is started\\. To have the same one, .* pull ${digest}, then run this again`));
  assert.deepEqual([readFileSync(app, "utf8"), statSync(app).mode & 0o777], [pem, 0o600]);
  // The server refuses to start with a key that it cannot read.
  assert.match(configuration(), /^SERVICE_HOST_APP_PRIVATE_KEY_FILE=\/run\/mayday\/host-app-private-key\.pem$/m);
  stack.configure("server-v0.1.0");
  stack.run("bootstrap.sh");
  assert.deepEqual(await issues(), present);
});

test("backups of the schedule go to a directory of this host, and restore.sh takes one", { skip }, async () => {
  const [target, passphrase] = [inWork("scheduled"), inWork("passphrase")];
  const schedule = ["SERVICE_BACKUP_SCHEDULE=0 3 * * *", `SERVICE_BACKUP_TO=${target}`, `SERVICE_BACKUP_PASSPHRASE_FILE=${passphrase}`];
  const present = await issues();
  stack.configure("server-v0.1.0", ...schedule);
  const refused = stack.run("bootstrap.sh", { code: 1 });
  assert.match(refused, /SERVICE_BACKUP_TO=.*scheduled is no directory of this host\. Make it: install -d -o 10001/);
  assert.match(refused, /SERVICE_BACKUP_PASSPHRASE_FILE=.* is no file that can be read/);
  mkdirSync(target, { mode: 0o700 });
  writeFileSync(passphrase, "$a 'passphrase' with \\ of signs\n", { mode: 0o600 });
  assert.match(stack.run("bootstrap.sh", { code: 1 }), /cannot be written by the server, which runs as 10001: chown 10001:10001/);
  chownSync(target, 10001, 10001);
  stack.run("bootstrap.sh");
  await eventually("the first backup", async () => doctor().backup.level === "ok" && /last success/.test(doctor().backup.text));
  const archives = () => readdirSync(target).map((name) => join(target, name));
  assert.equal(archives().length, 1);
  assert.match(archives()[0], /mayday-[0-9a-f]{12}-\d{8}T\d{6}Z\.tar\.zst$/);
  // The data alone: who is configured how stays.
  await report("after the backup");
  const kept = inWork("scheduled.tar.zst");
  renameSync(archives()[0], kept);
  const configured = stack.read(".env.static");
  const [mode, uid] = [statSync(kept).mode, statSync(kept).uid];
  assert.match(stack.run("restore.sh", kept, { input: "n\n", code: 1 }), /The data of this host are replaced/);
  assert.match(stack.run("restore.sh", "--yes", kept), /health, meta, http:\S+, sign-in/);
  assert.deepEqual(await issues(), present);
  assert.equal(stack.read(".env.static"), configured);
  assert.deepEqual([statSync(kept).mode, statSync(kept).uid], [mode, uid]);
  assert.match(stack.run("restore.sh", "--yes", inWork("nothing.tar.zst"), { code: 1 }), /neither a directory nor a file/);
});

test("backup.sh takes the data to S3-compatible storage, and restore.sh brings both parts back", { skip }, async () => {
  const { port, stop, list } = await startStorage();
  const endpoint = `http://${host}:${port}`;
  try {
    const access = [`SERVICE_BACKUP_S3_ENDPOINT=${endpoint}`, "SERVICE_BACKUP_S3_ACCESS_KEY_ID=AKIATEST", "SERVICE_BACKUP_S3_SECRET_ACCESS_KEY=a secret access key"];
    stack.configure("server-v0.1.0", ...access);
    stack.run("bootstrap.sh");
    const present = await issues();
    const target = inWork("in-storage");
    assert.match(stack.run("backup.sh", "--data-to", "s3://backups/mayday/", target), /s3:\/\/backups\/mayday\/in-storage\.tar\.zst/);
    assert.deepEqual(await list(), ["mayday/in-storage.tar.zst"]);
    assert.ok(!existsSync(join(target, "data.tar.zst")) && existsSync(join(target, ".env.generated")));
    await report("after the backup");
    stack.configure("server-v0.1.0");
    assert.match(stack.run("restore.sh", "--yes", target), /health, meta, http:\S+, sign-in/);
    assert.deepEqual(await issues(), present);
    assert.ok(stack.read(".env.static").includes(endpoint), "the configuration came back, too");
    // The data alone, by its address.
    await report("once more");
    assert.match(stack.run("restore.sh", "--yes", "s3://backups/mayday/in-storage.tar.zst"), /health, meta, http:\S+, sign-in/);
    assert.deepEqual(await issues(), present);
    assert.match(stack.run("restore.sh", "--yes", "s3://backups/mayday/other.tar.zst", { code: 1 }), /could not be restored: mayday: there is no backup at s3:.*\n {2}What was here is unchanged/);
    assert.deepEqual(await issues(), present);
    assert.match(stack.run("backup.sh", "--data-to", "/tmp", { code: 2 }), /usage/);
    // What restores have kept is named, and goes when it is asked to.
    assert.match(doctor().kept.cure, /restore\.sh --remove-kept$/);
    assert.match(stack.run("restore.sh", "--remove-kept", { input: "n\n", code: 1 }), /before-restore-.*Nothing was removed/s);
    assert.match(stack.run("restore.sh", "--remove-kept", { input: "y\n" }), /\/data\/mayday\/before-restore-.*Removed\.\n$/s);
    assert.equal(doctor().kept, undefined);
  } finally {
    stop();
  }
});

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
