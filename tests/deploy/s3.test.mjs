// Backups in S3-compatible storage: on a schedule and by hand, verified and restored, with storage that fails in between.
// The storage is moto (storage.mjs); a proxy in front of it breaks what a test says.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startStorage } from "./storage.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const binary = process.env.MAYDAY_BIN ?? join(here, "..", "..", "target", "debug", "mayday");
const owner = { email: "ada@example.com", password: "a passphrase for tests", organization_name: "Acme" };
const secret = "a secret access key that is nowhere shown";
const DAY = 24 * 3_600_000;
/** Bytes of events, of which enough is kept to fill more than one part of an upload. */
const FILLING = 60 << 20;

async function eventually(what, look) {
  for (const start = Date.now(); Date.now() - start < 180_000; ) {
    const found = await Promise.resolve().then(look).catch(() => undefined);
    if (found) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(`waited in vain for ${what}`);
}

let moto, storage, proxy, endpoint, data;
/** What becomes of a request: nothing, or the status that the proxy answers, "cut" for none, "hang" for never. */
let fault = () => undefined;

function forward(incoming, answer) {
  const verdict = fault(incoming);
  if (verdict === "hang") return;
  if (verdict === "cut") return void incoming.socket.destroy();
  if (verdict) {
    incoming.resume();
    incoming.on("end", () => answer.writeHead(verdict, { "content-type": "application/xml" }).end("<Error><Code>InternalError</Code></Error>"));
    return;
  }
  const { method, url, headers } = incoming;
  const onward = request(`${storage}${url}`, { method, headers }, (got) => {
    answer.writeHead(got.statusCode, got.headers);
    got.pipe(answer);
  });
  onward.on("error", () => incoming.socket.destroy());
  incoming.pipe(onward);
}

before(async () => {
  moto = await startStorage();
  storage = moto.address;
  proxy = createServer(forward).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  endpoint = `http://127.0.0.1:${proxy.address().port}`;
});

const servers = [];
const folders = [];
afterEach(async () => {
  fault = () => undefined;
  for (const server of servers.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
after(() => {
  moto?.stop();
  proxy?.closeAllConnections();
  proxy?.close();
  if (data) rmSync(data, { recursive: true, force: true });
});

function scratch() {
  folders.push(mkdtempSync(join(tmpdir(), "mayday-s3-")));
  return folders.at(-1);
}

const environment = (more = {}) => ({
  SERVICE_BACKUP_S3_ENDPOINT: endpoint,
  SERVICE_BACKUP_S3_ACCESS_KEY_ID: "AKIATEST",
  SERVICE_BACKUP_S3_SECRET_ACCESS_KEY: secret,
  SERVICE_RATE_LIMIT_ERRORS_PER_SECOND: "0",
  SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND: "0",
  ...more,
});

/** A command on a data directory: its exit code and everything it said. */
async function mayday(data, words, more) {
  const child = spawn(binary, ["--data-dir", data, ...words], { env: environment(more), stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (said += piece));
  const [code] = await once(child, "close");
  assert.doesNotMatch(said, new RegExp(secret));
  return { code, said };
}

class Server {
  static async start(data, more) {
    const server = new Server();
    servers.push(server);
    server.child = spawn(binary, ["serve", "--data-dir", data, "--listen", "127.0.0.1:0"], { env: environment(more), stdio: ["ignore", "pipe", "pipe"] });
    server.log = "";
    server.child.stderr.on("data", (piece) => (server.log += piece));
    server.ended = once(server.child, "close");
    for await (const line of createInterface({ input: server.child.stdout })) {
      server.url = /http:\/\/\S+/.exec(line)?.[0];
      break;
    }
    assert.ok(server.url, server.log);
    return server;
  }

  async ask(method, path, body, expect = 200) {
    const headers = { "content-type": "application/json", ...(this.token && { authorization: `Bearer ${this.token}` }) };
    const answer = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    assert.equal(answer.status, expect, `${method} ${path}: ${text}`);
    return JSON.parse(text);
  }

  async claim(data) {
    const claim = { setup_token: readFileSync(join(data, "setup-token"), "utf8").trim(), ...owner };
    ({ access_token: this.token } = await this.ask("POST", "/auth/setup", claim, 201));
  }

  async signIn() {
    ({ access_token: this.token } = await this.ask("POST", "/auth/password/login", { email: owner.email, password: owner.password }));
  }

  /** The newest run, once so many have ended. */
  run(count) {
    return eventually(`${count} runs`, async () => {
      const { runs } = await this.ask("GET", "/api/v1/instance/backups");
      return runs.length === count && runs.every(({ outcome }) => outcome !== "running") && runs[0];
    });
  }

  async stop(signal = "SIGTERM") {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    const [code] = await this.ended;
    assert.doesNotMatch(this.log, new RegExp(secret));
    return code;
  }
}

/** A stopped instance with more in it than fits into one part. */
async function filled() {
  data = mkdtempSync(join(tmpdir(), "mayday-s3-data-"));
  chmodSync(data, 0o700);
  const server = await Server.start(data);
  await server.claim(data);
  const project = (await server.ask("POST", "/api/v1/organizations/1/projects", { name: "Shop" }, 201)).id;
  const { key } = await server.ask("POST", `/api/v1/projects/${project}/api-keys`, { name: "all" }, 201);
  const piece = 150_000;
  for (let sent = 0; sent < FILLING; sent += piece) {
    const pad = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`pad ${at}`, randomBytes(piece / 20).toString("base64")]));
    await server.ask("POST", "/api/v1/errors", { api_key: key, message: `event ${sent}`, extra: pad }, 202);
  }
  assert.equal(await server.stop(), 0);
}

const keys = async () => [...(await (await fetch(`${storage}/backups?list-type=2`)).text()).matchAll(/<Key>([^<]+)/g)].map(([, key]) => key);
const uploads = async () => [...(await (await fetch(`${storage}/backups?uploads`)).text()).matchAll(/<UploadId>([^<]+)/g)].length;
const isPart = ({ method, url }) => method === "PUT" && url.includes("partNumber=");

test("an instance goes up by hand, is verified, and comes back elsewhere", async () => {
  await filled();
  const to = "s3://backups/by hand/one.tar.zst";
  const parts = new Set();
  fault = (incoming) => void (isPart(incoming) && parts.add(incoming.url));
  const made = await mayday(data, ["backup", "--output", to]);
  assert.equal(made.code, 0, made.said);
  assert.match(made.said, /s3:\/\/backups\/by hand\/one\.tar\.zst is complete/);
  assert.ok(parts.size > 1, `${parts.size} parts`);
  assert.equal(existsSync(join(data, "backup.new")), false);
  const verified = await mayday(data, ["backup", "--verify", to]);
  assert.equal(verified.code, 0, verified.said);
  const again = await mayday(data, ["backup", "--output", to]);
  assert.equal(again.code, 1);
  assert.match(again.said, /exists already/);

  const elsewhere = join(scratch(), "data");
  const restored = await mayday(elsewhere, ["restore", "--input", to]);
  assert.equal(restored.code, 0, restored.said);
  const server = await Server.start(elsewhere);
  await server.signIn();
  assert.equal((await server.ask("GET", "/api/v1/organizations/1/projects")).total, 1);
});

test("what cannot be reached is said in a line", async () => {
  const one = (words, part, more) => mayday(data, words, more).then(({ code, said }) => {
    assert.equal(code, 1, said);
    assert.match(said, part);
    assert.equal(said.trim().split("\n").length, 1, said);
  });
  await one(["backup", "--verify", "s3://backups/none.tar.zst"], /there is no backup at s3:\/\/backups\/none/);
  await one(["backup", "--output", "s3://backups/no archive"], /an archive/);
  await one(["backup", "--output", "s3://nobodys-bucket/x.tar.zst"], /NoSuchBucket|404/);
  await one(["backup", "--output", "s3://x"], /3 to 63/);
  await one(["backup", "--output", "s3://backups/x.tar.zst"], /SERVICE_BACKUP_S3_ACCESS_KEY_ID/, { SERVICE_BACKUP_S3_ACCESS_KEY_ID: "", SERVICE_BACKUP_S3_SECRET_ACCESS_KEY: "" });
  fault = () => 403;
  await one(["restore", "--input", "s3://backups/x.tar.zst", "--yes"], /refuses this access key/);
  const bytes = (await (await fetch(`${storage}/backups/by%20hand/one.tar.zst`)).arrayBuffer()).slice(0, 3_000_000);
  await fetch(`${storage}/backups/cut.tar.zst`, { method: "PUT", body: bytes });
  fault = () => undefined;
  const elsewhere = join(scratch(), "data");
  const { code, said } = await mayday(elsewhere, ["restore", "--input", "s3://backups/cut.tar.zst"]);
  assert.equal(code, 1);
  assert.match(said, /is damaged/);
  assert.equal(existsSync(elsewhere), false);
});

test("requests that fail for a while are sent again, and others give the upload up", async () => {
  let broken = 0;
  fault = (incoming) => {
    if (!isPart(incoming) || broken >= 4) return undefined;
    broken += 1;
    return broken % 2 === 0 ? 503 : "cut";
  };
  const made = await mayday(data, ["backup", "--output", "s3://backups/rough.tar.zst"]);
  assert.equal(made.code, 0, made.said);
  assert.equal(broken, 4);
  assert.equal((await mayday(data, ["backup", "--verify", "s3://backups/rough.tar.zst"])).code, 0);

  fault = (incoming) => (incoming.method === "PUT" && incoming.url.includes("partNumber=2&") ? 400 : undefined);
  const failed = await mayday(data, ["backup", "--output", "s3://backups/failed.tar.zst"]);
  assert.equal(failed.code, 1, failed.said);
  assert.match(failed.said, /nothing was left at s3:\/\/backups\/failed\.tar\.zst/);
  assert.ok(!(await keys()).includes("failed.tar.zst"));
  assert.equal(await uploads(), 0);
});

test("an interrupted command leaves nothing", async () => {
  let hung = 0;
  fault = (incoming) => (isPart(incoming) ? ((hung += 1), "hang") : undefined);
  const child = spawn(binary, ["--data-dir", data, "backup", "--output", "s3://backups/interrupted.tar.zst"], { env: environment(), stdio: "ignore" });
  await eventually("parts on their way", () => hung > 0);
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  assert.equal(code, 1);
  assert.ok(!(await keys()).includes("interrupted.tar.zst"));
  assert.equal(await uploads(), 0);
});

test("on a schedule: the newest are kept, and what was begun is given up", async () => {
  const clock = join(scratch(), "clock");
  const passphrase = `${clock}.passphrase`;
  const at = (offset) => writeFileSync(clock, String(offset));
  at(0);
  writeFileSync(passphrase, "a passphrase for tests\n");
  const scheduled = {
    // Far from now, so that only the clock brings it about.
    SERVICE_BACKUP_SCHEDULE: `0 ${(new Date().getUTCHours() + 12) % 24} * * *`,
    SERVICE_BACKUP_TIME_ZONE: "Europe/Berlin",
    SERVICE_BACKUP_TO: "s3://backups/nightly/",
    SERVICE_BACKUP_KEEP: "2",
    SERVICE_BACKUP_PASSPHRASE_FILE: passphrase,
    MAYDAY_CLOCK_OFFSET: clock,
  };
  const nightly = async () => (await keys()).filter((key) => key.startsWith("nightly/"));
  await fetch(`${storage}/backups/nightly/somebody.tar.zst`, { method: "PUT", body: "x" });

  // Killed in the middle of the first one.
  let hung = 0;
  fault = (incoming) => (isPart(incoming) ? ((hung += 1), "hang") : undefined);
  let server = await Server.start(data, scheduled);
  await eventually("parts on their way", () => hung > 0);
  await server.stop("SIGKILL");
  assert.equal(await uploads(), 1);
  // The next start knows what became of it, and waits before it tries again.
  hung = 0;
  server = await Server.start(data, scheduled);
  await server.signIn();
  assert.match((await server.run(1)).error, /the server ended/);
  assert.equal(await uploads(), 0);
  assert.equal(await server.stop(), 0);
  // Stopped in the middle of the second one: it ends at once, without a trace.
  at(600_000);
  server = await Server.start(data, scheduled);
  await eventually("parts on their way", () => hung > 0);
  assert.equal(await server.stop(), 0);
  assert.deepEqual(await nightly(), ["nightly/somebody.tar.zst"]);

  fault = () => undefined;
  let count = 2;
  const made = [];
  for (const days of [1, 2, 3]) {
    at(days * DAY + 1_200_000);
    server = await Server.start(data, scheduled);
    await server.signIn();
    count += 1;
    made.push(await server.run(count));
    assert.equal(made.at(-1).outcome, "succeeded", JSON.stringify(made));
    assert.equal(await server.stop(), 0);
  }
  const names = made.slice(1).map(({ name }) => `nightly/${name}`);
  assert.deepEqual((await nightly()).sort(), [...names, "nightly/somebody.tar.zst"].sort());

  // A failure removes nothing.
  fault = (incoming) => (isPart(incoming) ? 400 : undefined);
  at(9 * DAY);
  server = await Server.start(data, scheduled);
  await server.signIn();
  const failed = await server.run(count + 1);
  assert.equal(failed.outcome, "failed", JSON.stringify(failed));
  const { kept, last_success, schedule } = await server.ask("GET", "/api/v1/instance/backups");
  assert.deepEqual(kept.map(({ name }) => name), made.slice(1).map(({ name }) => name).reverse());
  assert.equal(kept[0].size_bytes, made.at(-1).size_bytes);
  assert.deepEqual([last_success.name, schedule.secrets, schedule.target], [made.at(-1).name, "sealed", "s3://backups/nightly"]);
  assert.match(schedule.next_run_at, /T/);
  assert.equal(await server.stop(), 0);
  assert.equal(await uploads(), 0);

  fault = () => undefined;
  const elsewhere = join(scratch(), "data");
  const restored = await mayday(elsewhere, ["restore", "--input", `s3://backups/${names.at(-1)}`, "--passphrase-file", passphrase]);
  assert.equal(restored.code, 0, restored.said);
  assert.ok(readdirSync(elsewhere).includes("secrets.env"));
  // Its newest run is the one that it was made by.
  server = await Server.start(elsewhere);
  await server.signIn();
});
