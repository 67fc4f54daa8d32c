// A shop with a bug that was reported, and a runner whose agent mends it: what the tests of real agents have in common.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "../browser/programs.mjs";
import { Server, until } from "../browser/server.mjs";
import { execFileSync } from "../limited.mjs";
import { start } from "./endpoint.mjs";

/** Agents start slowly on a machine that does much else. */
export const LIMIT = 8 * 60_000;
export const KEY = "sk-of-the-model-0123456789";

const CART = `export function total(cart) {
  let sum = 0;
  for (const item of cart.items) sum += item.price.amount;
  return sum;
}
`;
const CHECK = `import assert from "node:assert/strict";
import { total } from "./src/cart.mjs";

assert.equal(total({ items: [{ price: { amount: 3 } }, {}] }), 3);
`;
const MESSAGE = "Cannot read properties of undefined (reading 'amount')";
const STACK = `TypeError: ${MESSAGE}\n    at total (https://shop.example/src/cart.mjs:3:56)`;

/** Programs are pinned for one platform: the lock file of all of them cannot be installed where a registry lacks some. */
const platform = `${process.platform}-${process.arch}`;
export const skip = platform === "linux-x64" ? false : `the agents are pinned for linux-x64, this is ${platform}`;

/** Where a file of a package is. */
export const packaged = (file) => createRequire(import.meta.url).resolve(file);

export class Scene {
  /** A server, a repository, and a model that answers in a manner, by a script. `before` starts what the server needs, and has its
   * variables. */
  static async make(manner, script, before = () => ({})) {
    const scene = new Scene();
    scene.dir = mkdtempSync(join(tmpdir(), "mayday-agents-"));
    try {
      scene.model = await start(manner, script);
      const variables = await before(scene);
      scene.server = await Server.start({ variables: { SERVICE_REPOSITORIES_ALLOW_LOCAL: "true", ...variables } });
      scene.#makeRepository();
      return scene;
    } catch (error) {
      await scene.end();
      throw error;
    }
  }

  async end() {
    this.runner?.kill("SIGKILL");
    this.model?.stop();
    await this.server?.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  git(place, ...words) {
    return execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main", ...words], {
      cwd: place,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
    }).trim();
  }

  #makeRepository() {
    const first = join(this.dir, "first");
    mkdirSync(join(first, "src"), { recursive: true });
    writeFileSync(join(first, "src/cart.mjs"), CART);
    writeFileSync(join(first, "check.mjs"), CHECK);
    this.git(first, "init", "--quiet");
    this.git(first, "add", "--all");
    this.git(first, "commit", "--quiet", "--message", "The shop");
    this.git(this.dir, "clone", "--quiet", "--bare", "first", "host.git");
  }

  /** A session about the error, with more of what one may have; its id. */
  async session(agentType, modelId, more = {}) {
    const project = await this.server.project("Shop");
    const body = { hostRepoId: "1", hostRepoName: "acme/shop", hostUrl: `file://${join(this.dir, "host.git")}` };
    const { repo } = await this.server.post("/api/repos", body, { expect: 200 });
    const { issue_id: issueId } = await project.sendAndRead({ type: "TypeError", message: MESSAGE, stack: STACK });
    const { session } = await this.server.post("/api/sessions", { issueId, repoId: repo.id, agentType, modelId, ...more }, { expect: 201 });
    return session.id;
  }

  /** Starts a runner for one session; `programs` are folders, and `passed` are variables for the agent. When it `ended`, with
   * which code. */
  async startRunner(agent, programs, passed, words = []) {
    const { token } = await this.server.post("/api/runners", { name: "of the tests" }, { expect: 201 });
    this.token = token;
    mkdirSync(join(this.dir, "home"), { recursive: true });
    const of = ["runner", "--url", this.server.origin, "--work-dir", join(this.dir, "runner"), "--agent", agent, "--allow-file-repositories", "--once"];
    this.runner = spawn(binary, [...of, ...words, ...Object.keys(passed).flatMap((name) => ["--env", name])], {
      env: { PATH: [...programs, process.env.PATH].join(":"), HOME: join(this.dir, "home"), MAYDAY_RUNNER_TOKEN: token, ...passed },
      stdio: ["ignore", "inherit", "inherit"],
    });
    return { ended: new Promise((resolve) => this.runner.once("exit", resolve)) };
  }

  async read(id) {
    const { session } = await this.server.request(`/api/sessions/${id}`);
    const { messages } = await this.server.request(`/api/sessions/${id}/messages?limit=1000`);
    return { session, messages };
  }

  /** Waits until its transcript says so. */
  async until(id, words) {
    await until(`the transcript says “${words}”`, async () => {
      const { session, messages } = await this.read(id);
      const isSaid = messages.some(({ content }) => content.includes(words));
      assert.ok(isSaid || !session.outcome, JSON.stringify([session, messages], null, 1));
      return isSaid || undefined;
    }, LIMIT / 4);
  }

  stop(id) {
    const headers = { "Content-Type": "application/json" };
    return this.server.request(`/api/sessions/${id}`, { method: "PATCH", headers, body: JSON.stringify({ status: "stopped" }) });
  }

  /** What the agent of a run that was kept wrote beside its result. */
  said() {
    const runs = join(this.dir, "runner/runs");
    return readFileSync(join(runs, readdirSync(runs)[0], "work/result.json.said"), "utf8");
  }

  branches() {
    return this.git(join(this.dir, "host.git"), "branch", "--list", "--format", "%(refname:short)").split("\n");
  }

  /** That the bug is gone from the branch, and what the model and the transcript know; the messages of the transcript. */
  async checkMended(id, code, line) {
    const { session, messages } = await this.read(id);
    assert.equal(session.outcome, "completed", JSON.stringify([session, messages], null, 1));
    assert.equal(code, 0);
    assert.equal(session.summary, "An item had no price.");
    assert.deepEqual(session.files_changed, [{ path: "src/cart.mjs", added: 1, removed: 1 }]);
    this.git(this.dir, "clone", "--quiet", "--branch", session.branch_name, "host.git", "after");
    execFileSync(process.execPath, ["check.mjs"], { cwd: join(this.dir, "after") });
    assert.throws(() => execFileSync(process.execPath, ["check.mjs"], { cwd: join(this.dir, "first"), stdio: "ignore" }));
    this.checkKey(messages, line);
    // The model was given the instructions, and what came from outside only as what a tool read.
    const asked = this.model.requests.filter(({ body }) => body.tools?.length);
    const first = JSON.stringify(asked[0].body.messages);
    assert.match(first, /MAYDAY_RESULT/);
    assert.doesNotMatch(first, /reading 'amount'/);
    return messages;
  }

  /** That each request had the model's key, and that nothing in the room did: what was found there was sent to the model. */
  checkKey(messages, line) {
    const { requests } = this.model;
    assert.ok(requests.every(({ authorization, key }) => authorization === `Bearer ${KEY}` || key === KEY));
    const sent = JSON.stringify(requests.map(({ body }) => body));
    assert.match(sent, /held-by-the-runner/);
    assert.doesNotMatch(sent, new RegExp(`${KEY}|${this.token}`));
    assert.doesNotMatch(JSON.stringify(messages), new RegExp(KEY));
    assert.match(JSON.stringify(messages), line);
  }
}
