// Starts the built server for a test file, and talks to it as its clients do.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { binary, webApp } from "./programs.mjs";

const startLimit = 60_000;
const stopLimit = 60_000;
// Less than a test has, so that what was waited for is said.
const settleLimit = 45_000;

const addressLine = /^Mayday is listening on (http:\/\/127\.0\.0\.1:\d+)$/m;
const tokenLine = /\/setup#token=((?:[0-9a-f]{4}-){7}[0-9a-f]{4})\b/;

export const owner = {
  email: "ada@example.com",
  password: "a passphrase for tests",
  organization_name: "Acme",
  name: "Ada",
};

const running = new Set();

/** The servers of this worker that have not been stopped. */
export const serversRunning = () => [...running];

let shared;

/** The server of this worker for files that need no settings of theirs and look at their own projects only. */
export function sharedServer() {
  return (shared ??= Server.start());
}

export async function stopShared() {
  const server = await shared?.catch(() => undefined);
  shared = undefined;
  await server?.stop();
}
process.on("exit", () => {
  for (const { child, dataDir } of running) {
    child.kill("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
});
// Without a listener a signal ends Node at once, with the servers left running.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

export class Server {
  /** Starts the server on a free port and a new data directory; claims it unless told not to. */
  static async start({ claim = true, variables = {} } = {}) {
    const server = new Server(variables);
    try {
      await server.#listening();
      if (claim) await server.claim();
      return server;
    } catch (error) {
      server.showOutput();
      await server.stop().catch(() => undefined);
      throw error;
    }
  }

  constructor(variables) {
    this.output = "";
    this.dataDir = mkdtempSync(join(tmpdir(), "mayday-browser-"));
    // Only what is named here: the variables of whoever runs the tests are not the server's.
    this.env = {
      PATH: process.env.PATH,
      SERVICE_ANONYMOUS_TELEMETRY_DISABLED: "1",
      // The tests wait by asking, which adds up; and what they send comes at once.
      SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR: "0",
      SERVICE_RATE_LIMIT_ERRORS_PER_SECOND: "0",
      SERVICE_RATE_LIMIT_LOGS_PER_SECOND: "0",
      SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND: "0",
      SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND: "0",
      SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR: "0",
      ...(process.env.RUST_LOG && { RUST_LOG: process.env.RUST_LOG }),
      RUST_BACKTRACE: "1",
      ...(webApp && { WEB_DIST_DIR: webApp }),
      ...variables,
    };
    running.add(this);
    this.#spawn("127.0.0.1:0");
  }

  #spawn(listen) {
    const words = ["serve", "--data-dir", this.dataDir, "--listen", listen];
    this.child = spawn(binary, words, { env: this.env, cwd: this.dataDir, stdio: ["ignore", "pipe", "pipe"] });
    this.stdout = "";
    this.child.stdout.setEncoding("utf8").on("data", (text) => {
      this.stdout += text;
      this.output += text;
    });
    this.child.stderr.setEncoding("utf8").on("data", (text) => (this.output += text));
    this.ended = new Promise((done) => {
      this.child.on("error", (error) => done(`could not be started: ${error.message}`));
      this.child.on("exit", (code, signal) => done(`ended with ${signal ?? `code ${code}`}`));
    });
  }

  /** Waits until the address has been printed, and with it the claim link where nobody has claimed. */
  async #listening({ unclaimed = true } = {}) {
    let end;
    void this.ended.then((how) => (end = how));
    const limit = Date.now() + startLimit;
    for (;;) {
      const origin = addressLine.exec(this.stdout)?.[1];
      this.origin = origin ?? this.origin;
      this.setupToken ??= tokenLine.exec(this.stdout)?.[1];
      if (origin && (this.setupToken || !unclaimed)) return;
      if (end !== undefined) throw new Error(`the server ${end} before it was listening`);
      if (Date.now() > limit) throw new Error(`no address and claim link on standard output in ${startLimit} ms`);
      await Promise.race([this.ended, new Promise((done) => this.child.stdout.once("data", done)), pause(100)]);
    }
  }

  async claim() {
    const answer = await this.post("/auth/setup", { setup_token: this.setupToken, ...owner }, { expect: 201 });
    if (typeof answer.access_token !== "string") throw new Error(`no access_token in ${JSON.stringify(answer)}`);
    this.token = answer.access_token;
    return answer;
  }

  /** A session of the owner's beside the first one. */
  async signIn() {
    const { email, password } = owner;
    return (await this.post("/auth/password/login", { email, password }, { token: null })).access_token;
  }

  /** The server is gone, as after a fault, until `comeBack`. */
  async goAway() {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  /** Starts it again with its data at its address. */
  async comeBack() {
    this.#spawn(new URL(this.origin).host);
    await this.#listening({ unclaimed: false });
  }

  /** Prints what the server wrote, from so many characters on. */
  showOutput(from = 0) {
    console.error(`--- output of the server ---\n${this.output.slice(from)}--- end of output ---`);
  }

  /** Ends the server as a service manager does, and removes its data. */
  async stop() {
    this.child.kill("SIGTERM");
    const late = Symbol("late");
    const how = await Promise.race([this.ended, pause(stopLimit, late, { ref: false })]);
    if (how === late) {
      this.child.kill("SIGKILL");
      await this.ended;
    }
    running.delete(this);
    rmSync(this.dataDir, { recursive: true, force: true });
    if (how === late) throw new Error(`the server was still running ${stopLimit} ms after SIGTERM`);
    if (how !== "ended with code 0") throw new Error(`the server ${how} after SIGTERM\n${this.output}`);
  }

  /**
   * One request. Signed in as the owner unless `token` says otherwise (`null` for nobody). Answers
   * with the JSON, or throws with what the server said when the status is not the expected one.
   */
  async request(path, { expect = 200, token = this.token, headers = {}, ...init } = {}) {
    const { status, body, text } = await this.raw(path, { token, headers, ...init });
    const accepted = [expect].flat();
    if (!accepted.includes(status)) {
      throw new Error(`${init.method ?? "GET"} ${path}: expected ${accepted.join(" or ")}, got ${status} ${text.slice(0, 2000)}`);
    }
    return body;
  }

  /** Like `request`, whatever the status. */
  async raw(path, { token = this.token, headers = {}, ...init } = {}) {
    const ask = () =>
      fetch(new URL(path, this.origin), {
        ...init,
        headers: { ...(token && { Authorization: `Bearer ${token}` }), ...headers },
        redirect: "manual",
      });
    const response = await ask().catch((error) => {
      // While this process was busy, the server has closed a connection that lay idle.
      if (error.cause?.code === "UND_ERR_SOCKET") return ask();
      throw error;
    });
    const text = await response.text();
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    return { status: response.status, headers: response.headers, body, text };
  }

  post(path, body, options = {}) {
    return this.request(path, {
      method: "POST",
      body: JSON.stringify(body),
      ...options,
      headers: { "Content-Type": "application/json", ...options.headers },
    });
  }

  /** A new project in the owner's organization, with a key for errors and releases. */
  async project(name) {
    const [organization] = await this.request("/api/v1/organizations");
    const project = await this.post(`/api/v1/organizations/${organization.id}/projects`, { name }, { expect: 201 });
    const { key } = await this.post(`/api/v1/projects/${project.id}/api-keys`, { name: "tests" }, { expect: 201 });
    if (!/^pk_/.test(key)) throw new Error(`not a project key: ${key}`);
    return new Project(this, project.id, key);
  }
}

export class Project {
  constructor(server, id, key) {
    this.server = server;
    this.id = id;
    this.key = key;
  }

  #form(path, fields, expect) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (value instanceof File) body.append(name, value, value.name);
      else if (value !== undefined) body.append(name, value);
    }
    return this.server.request(path, { method: "POST", token: this.key, body, expect });
  }

  createRelease(version, urlPrefix, expect = 201) {
    return this.#form("/api/v1/releases", { version, url_prefix: urlPrefix }, expect);
  }

  /** Uploads one map; `map` holds its bytes. `urlPrefix` undefined leaves the field out. */
  uploadMap({ release, url, map, urlPrefix, fileName = "app.js.map", expect = 201 }) {
    const sourcemap = new File([map], fileName, { type: "application/json" });
    return this.#form("/api/v1/sourcemaps", { release, url, url_prefix: urlPrefix, sourcemap }, expect);
  }

  finalize(version) {
    const path = `/api/v1/releases/${encodeURIComponent(version)}/finalize`;
    return this.server.request(path, { method: "POST", token: this.key });
  }

  /** The order that is recommended: create the release, upload every map, finalize. */
  async release(version, urlPrefix, maps) {
    const release = await this.createRelease(version, urlPrefix);
    for (const { url, map } of maps) await this.uploadMap({ release: version, url, map, urlPrefix });
    const finalized = await this.finalize(version);
    if (!finalized.finalized_at) throw new Error(`not finalized: ${JSON.stringify(finalized)}`);
    return { ...release, ...finalized };
  }

  /** Sends an error as an application does and returns its event id. */
  async send(error, fields = {}) {
    const body = { api_key: this.key, type: "exception", exception: error, ...fields };
    const { event_id: id } = await this.server.post("/api/v1/errors", body, { token: null, expect: 202 });
    return id;
  }

  /** Waits, by asking, until an accepted event can be read. */
  event(id) {
    const path = `/api/v1/events/${encodeURIComponent(id)}?project_id=${this.id}`;
    return until(`event ${id} can be read`, async () => {
      const { status, body, text } = await this.server.raw(path);
      if (status === 200) return body;
      if (status !== 404) throw new Error(`GET ${path}: ${status} ${text}`);
      return undefined;
    });
  }

  async sendAndRead(error, fields = {}) {
    return this.event(await this.send(error, fields));
  }

  issues() {
    return this.server.request(`/api/v1/projects/${this.id}/issues`);
  }

  /** Waits until the project has counted so many events over all of its issues. */
  issuesOf(eventCount) {
    return until(`${eventCount} events are counted`, async () => {
      const page = await this.issues();
      const counted = page.issues.reduce((sum, issue) => sum + issue.event_count, 0);
      return counted >= eventCount ? page : undefined;
    });
  }
}

/** Asks until there is an answer that is not undefined; fails after a limit, naming what it waited for. */
export async function until(what, ask, limit = settleLimit) {
  const end = Date.now() + limit;
  for (let delay = 20; ; delay = Math.min(delay * 1.5, 250)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`after ${limit} ms still not so: ${what}`);
    await pause(delay);
  }
}
