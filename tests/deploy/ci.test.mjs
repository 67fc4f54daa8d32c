// The image for pipelines, as `make ci-image` builds it, with GitLab's job in a container of it, against a server on this
// host. Its real base (debian:12-slim) is not fetched here: it stands on a base with busybox's shell and this host's
// libraries.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { discard, owner, podman, prepareCi, root, withoutContainers } from "./stack.mjs";

const why = withoutContainers("the image for pipelines");
const work = mkdtempSync(join(tmpdir(), "mayday-ci-"));
const data = join(work, "data");
after(() => {
  discard();
  rmSync(work, { recursive: true, force: true });
});

/** The lines of a list in GitLab's file. */
function lines(key) {
  const all = readFileSync(join(root, "deploy/ci/gitlab.yml"), "utf8").split("\n");
  const rest = all.slice(all.indexOf(`  ${key}:`) + 1);
  const end = rest.findIndex((line) => !line.startsWith("    - "));
  return rest.slice(0, end < 0 ? undefined : end).map((line) => line.slice("    - ".length));
}

test("GitLab's job runs in the image for pipelines", { skip: why }, async () => {
  const image = prepareCi();
  const server = spawn(process.env.MAYDAY_BIN ?? join(root, "target/debug/mayday"), ["serve", "--listen", "127.0.0.1:0", "--data-dir", data], { env: { SERVICE_ANONYMOUS_TELEMETRY_DISABLED: "1" }, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [greeting] = await once(createInterface(server.stdout), "line");
    const site = greeting.split(" ").at(-1);
    assert.match(site, /^http:\/\/127\.0\.0\.1:\d+$/);
    let token;
    const ask = async (path, body) => {
      const answer = await fetch(site + path, { method: body ? "POST" : "GET", headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) }, ...(body && { body: JSON.stringify(body) }) });
      assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
      return answer.json();
    };
    for (const until = Date.now() + 20_000; !existsSync(join(data, "setup-token")) && Date.now() < until; ) await new Promise((done) => setTimeout(done, 50));
    ({ access_token: token } = await ask("/auth/setup", { setup_token: readFileSync(join(data, "setup-token"), "utf8").trim(), ...owner }));
    const list = await ask("/api/v1/organizations");
    const project = await ask(`/api/v1/organizations/${(list.organizations ?? list)[0].id}/projects`, { name: "Shop" });
    const { key } = await ask(`/api/v1/projects/${project.id}/api-keys`, { name: "ci" });
    mkdirSync(join(work, "repository/dist"), { recursive: true });
    cpSync(join(root, "deploy/ci"), join(work, "repository/.gitlab/mayday"), { recursive: true });
    const built = JSON.parse(readFileSync(join(root, "tests/fixtures/names/vite-terser.json"), "utf8"));
    writeFileSync(join(work, "repository/dist/names.js"), built.script);
    writeFileSync(join(work, "repository/dist/names.js.map"), JSON.stringify(built.map));
    const job = [...lines("before_script"), ...lines("script")];
    assert.equal(job.length, 2);
    const variables = { MAYDAY_URL: site, MAYDAY_KEY: key, MAYDAY_DIR: "dist", MAYDAY_SCRIPTS: ".gitlab/mayday", CI_COMMIT_SHA: "c0ffee" };
    const said = podman("run", "--rm", "--network=host", "--volume", `${join(work, "repository")}:/builds`, "--workdir=/builds", ...Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`), image, "sh", "-e", "-c", job.join("\n"));
    assert.match(said, /1 of 1 scripts resolve in release c0ffee/);
    const release = await ask(`/api/v1/projects/${project.id}/releases/c0ffee`);
    assert.equal(release.source_map_count, 1);
    assert.ok(release.finalized_at);
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, "exit");
  }
});
