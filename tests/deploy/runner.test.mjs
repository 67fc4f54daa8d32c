// Agents in containers: a server, a runner and podman as they are; the agents are scripts in an image.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { eventually, start, stopAll } from "./programs.mjs";
import { binary, discard, environment, owner, podman, prepareAgents, withoutAgents } from "./stack.mjs";
import { execFileSync } from "../limited.mjs";

const skip = withoutAgents("agents in containers");
const work = mkdtempSync(join(tmpdir(), "mayday-runner-"));
/** In the runner's environment, its home, and its folder. */
const secret = "a-secret-of-the-runner";

const scripts = {
  // Looks around, mends a file, and leaves something behind.
  mend: `#!/bin/sh
set -eu
top=\${MAYDAY_REPOSITORY%/runs/*}
find "$top" -mindepth 1 -maxdepth 2 | sed "s|^$top|sees |"
env
for each in /proc/[0-9]*; do tr '\\0' '\\n' <"$each/environ" && tr '\\0' ' ' <"$each/cmdline"; done
echo
for each in "$MAYDAY_INSTRUCTIONS" "$MAYDAY_CONTEXT/more" "$(cat .git/objects/info/alternates)/more"; do
  if (echo more >>"$each") 2>/dev/null; then echo "writes to $each"; fi
done
git log --format='was: %s'
sed -i s/broken/mended/ cart
git -c user.name=Agent -c user.email=agent@example.net commit --quiet --all --message 'Mend the cart'
git log --max-count=1 --format='is: %s'
echo '{"title": "A mended cart", "summary": "It was broken."}' >"$MAYDAY_RESULT"
mkdir left && echo more >left/file
touch "$HOME/was-here"
# It is to outlive the agent.
(trap '' TERM HUP; exec setsid sleep 600) >/dev/null 2>&1 &
echo done
`,
  // Does not end by itself, nor if it is asked to.
  stay: `#!/bin/sh
trap '' TERM
echo "half of it" >half
echo staying
while :; do sleep 1; done
`,
  // Mends the file with a test of that, which passes in a container only.
  prove: `#!/bin/sh
sed -i s/broken/mended/ cart
echo 'test -x /agents/prove && grep -q mended cart' >cart.test.mjs
`,
};

let image;
let ask;
let url;
let repository;

const git = (...words) => execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.net", "-c", "init.defaultBranch=main", ...words], { cwd: work, encoding: "utf8" }).trim();

/** A repository on this machine. */
function prepareRepository() {
  git("init", "--quiet", "first");
  writeFileSync(join(work, "first/cart"), "broken\n");
  git("-C", "first", "add", "--all");
  git("-C", "first", "commit", "--quiet", "--message", "The shop");
  git("clone", "--quiet", "--bare", "first", "host.git");
}

before(async () => {
  if (skip) return;
  image = prepareAgents(scripts);
  prepareRepository();
  const data = join(work, "data");
  const server = start(binary, ["serve", "--listen", "127.0.0.1:0", "--data-dir", data], { env: { PATH: process.env.PATH, SERVICE_ANONYMOUS_TELEMETRY_DISABLED: "1", SERVICE_REPOSITORIES_ALLOW_LOCAL: "true" } });
  url = await eventually("the server", () => /http:\/\/127\.0\.0\.1:\d+/.exec(server.said)?.[0]);
  let token;
  ask = async (method, path, body) => {
    const answer = await fetch(url + path, { method, headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) }, body: body && JSON.stringify(body) });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const setup_token = execFileSync(binary, ["setup-token", "--data-dir", data], { encoding: "utf8" }).trim();
  ({ access_token: token } = await ask("POST", "/auth/setup", { setup_token, ...owner }));
  repository = (await ask("POST", "/api/repos", { hostRepoId: "1", hostRepoName: "acme/shop", hostUrl: `file://${join(work, "host.git")}` })).repo.id;
});

afterEach(async () => {
  for (const runner of runners.splice(0)) {
    runner.kill("SIGKILL");
    await eventually("the runner's end", () => runner.exitCode !== null || runner.signalCode !== null);
  }
});

after(async () => {
  await stopAll();
  discard();
  rmSync(work, { recursive: true, force: true });
});

const runners = [];

/** A runner with a home of its own. */
async function run(image, ...more) {
  const { token } = await ask("POST", "/api/runners", { name: "here" });
  const home = join(work, "home");
  mkdirSync(join(home, "work"), { recursive: true });
  writeFileSync(join(home, "work", "secret"), secret);
  const words = ["runner", "--work-dir", join(home, "work"), "--isolation", `container:${image}`, "--allow-file-repositories", ...Object.keys(scripts).flatMap((name) => ["--agent", `${name}=/agents/${name}`]), ...more];
  const runner = start(binary, words, { env: { ...environment, HOME: home, SECRET: secret, MAYDAY_URL: url, MAYDAY_RUNNER_TOKEN: token } });
  runners.push(runner);
  runner.token = token;
  runner.runs = join(home, "work", "runs");
  return runner;
}

const begin = async (agentType) => (await ask("POST", "/api/sessions", { repoId: repository, prompt: "Mend it", agentType })).session.id;
const session = async (id) => (await ask("GET", `/api/sessions/${id}`)).session;
const said = async (id) => (await ask("GET", `/api/sessions/${id}/messages?limit=1000`)).messages.map(({ content }) => content).join("");
const ended = (id, runner) =>
  eventually("the session's end", async () => {
    const told = await session(id);
    return told.ended_at && told;
  }, 180).catch(async (error) => assert.fail(`${error}: ${await said(id)}\n${runner.said}\n${podman("ps", "--all")}`));

const containers = () => podman("ps", "--all", "--format", "{{.Names}}").trim().split("\n").filter(Boolean);
/** Processes of this host that began with a session's environment. */
const processes = (id) =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(`MAYDAY_SESSION_ID=${id}`);
    } catch {
      return false;
    }
  });

/** No container is left, and no process of a session. */
const hasEnded = (id, runner) =>
  eventually("the container's end", () => containers().length === 0 && processes(id).length === 0, 180).catch((error) => {
    assert.fail(`${error}: ${podman("ps", "--all")}\n${execFileSync("ps", ["-efH"], { encoding: "utf8" })}\n${runner.said}`);
  });

/** Nor its files. */
async function isGone(id, runner) {
  await hasEnded(id, runner);
  await eventually("the end of its files", () => readdirSync(runner.runs).length === 0, 60);
  assert.doesNotMatch(runner.said, /cannot be removed/);
}

/** A session whose agent does not end. */
async function stays(runner) {
  const id = await begin("stay");
  await eventually("the agent", async () => (await said(id)).includes("staying"), 180).catch(async (error) => assert.fail(`${error}: ${await said(id)}\n${runner.said}`));
  return id;
}

const stop = (id) => ask("PATCH", `/api/sessions/${id}`, { status: "stopped" });

test("an agent works in a container, sees its checkout alone, and ends with it", { skip }, async () => {
  const runner = await run(image, "--capacity", "2", "--agent-grace", "2");
  const other = await stays(runner);
  const id = await begin("mend");
  const told = await ended(id, runner);
  const text = await said(id);
  assert.equal(told.outcome, "completed", `${told.reason} ${text}\n${runner.said}`);
  // Git works there, on objects that it borrows.
  assert.match(text, /^was: The shop$/m);
  assert.equal(git("-C", "host.git", "show", `${told.branch_name}:cart`), "mended");
  assert.equal(git("-C", "host.git", "show", `${told.branch_name}:left/file`), "more");
  // Its commit and the rest are one, with the title that it reported.
  assert.match(text, /^is: Mend the cart$/m);
  assert.equal(git("-C", "host.git", "log", "--format=%s", told.branch_name), "A mended cart\nThe shop");
  // Of the runner's folder it sees what is its own, and of the runner and the other agent nothing.
  const seen = [...text.matchAll(/sees (\/\S*)/g)].map(([, path]) => path.replace(/[0-9a-f-]{36}/, "ID").replace(/-[0-9a-f]{16}$/, ""));
  assert.deepEqual(seen.sort(), ["/mirrors", "/mirrors/ID.git", "/runs", "/runs/ID"]);
  for (const unseen of [secret, runner.token, other, "/agents/stay", "writes to"]) assert.ok(!text.includes(unseen), `${unseen}: ${text}`);
  assert.equal(containers().length, 1);
  await eventually("its end", () => processes(id).length === 0, 60);

  await stop(other);
  assert.equal((await ended(other, runner)).outcome, "cancelled");
  await isGone(other, runner);
  assert.equal((await session(other)).head_commit, null);
});

test("what tests its work is in a container, too", { skip }, async () => {
  const testCommand = 'for each in *.test.mjs; do [ ! -e "$each" ] || sh "$each" || exit 1; done';
  await ask("PATCH", `/api/repos/${repository}`, { testCommand });
  const runner = await run(image);
  const id = await begin("prove");
  const told = await ended(id, runner);
  assert.match(await said(id), /Proven: /, runner.said);
  assert.equal(git("-C", "host.git", "show", `${told.branch_name}:cart`), "mended");
  await isGone(id, runner);
});

test("a runner that was killed leaves no container, or the next one ends it", { skip }, async () => {
  const first = await run(image, "--agent-grace", "1");
  const id = await stays(first);
  first.kill("SIGKILL");
  await hasEnded(id, first);
  await stop(id);

  // What watches the agent is killed with it.
  const second = await run(image);
  const next = await stays(second);
  const [watcher] = execFileSync("pgrep", ["-P", String(second.pid)], { encoding: "utf8" }).trim().split("\n");
  second.kill("SIGKILL");
  process.kill(Number(watcher), "SIGKILL");
  await stop(next);
  assert.equal(containers().length, 1);
  await isGone(next, await run(image));
});

test("a runner whose containers do not run says so when it starts", { skip }, async () => {
  const runner = await run("localhost/none:1");
  assert.equal(await eventually("its end", () => runner.exitCode, 180), 1);
  assert.match(runner.said, /--isolation: no container of `localhost\/none:1` runs here: .*image not known/);
});
