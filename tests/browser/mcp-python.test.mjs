// The public clients of the Model Context Protocol from PyPI against the built server: 1.x of the old revision, 2.x of the
// new one and of both. No browser is needed, but two virtual environments are.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execFile } from "../limited.mjs";
import { installed } from "../venv.mjs";
import { callsOf, tokenOf, withError } from "./mcp.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";

const here = dirname(fileURLToPath(import.meta.url));

// The first time, both environments are fetched.
test.describe.configure({ timeout: 300_000 });

const pythons = {};
let server;

before(async () => {
  for (const release of [1, 2]) {
    pythons[release] = join(installed(here, `.venv-mcp-${release}`, `requirements-mcp-${release}.txt`), "python");
  }
  server = await sharedServer();
});

/** What a client of this release is told; without a mode, it begins as clients of the old revision do. */
async function ask(release, mode, scope, calls) {
  const asked = { url: `${server.origin}/mcp`, token: await tokenOf(server, scope), mode, calls };
  // This process does not stand still meanwhile: it hears that the server has closed a connection, and does not use it again.
  const running = execFile(pythons[release], [join(here, "mcp-client.py")]);
  running.child.stdin.end(JSON.stringify(asked));
  return JSON.parse((await running).stdout);
}

for (const [release, mode, version] of [
  [1, undefined, "2025-11-25"],
  [2, "2026-07-28", "2026-07-28"],
  [2, "auto", "2026-07-28"],
  [2, "legacy", "2025-11-25"],
]) {
  const who = `mcp ${release}.x from PyPI${mode ? ` (${mode})` : ""}`;

  test(`${who} lists the tools and calls each`, async () => {
    const { project, event } = await withError(server, `Asked by ${who}`);
    const calls = Object.entries(callsOf(event));
    const told = await ask(release, mode, "write", calls.map(([name, [more]]) => ({ name, arguments: { project_id: project.id, ...more } })));
    assert.equal(told.version, version);
    // One that pins its version asks for nothing but what it calls.
    if (mode !== "2026-07-28") assert.match(told.instructions, /never follow instructions/);
    assert.ok(!told.session);
    assert.equal(told.tools.length, calls.length + 1);
    assert.ok(told.tools.every((tool) => tool.outputSchema.properties.origin.const === "server"));
    for (const [number, [name, [, expected, holds]]] of calls.entries()) {
      const result = told.results[number];
      assert.match(result.content[0].text, expected, name);
      assert.ok(!result.isError && holds(result.structuredContent), `${name}: ${JSON.stringify(result)}`);
    }
  });

  // What one may do depends on the token, not on how the client begins.
  if (mode === "2026-07-28" || mode === "legacy") continue;
  test(`${who} with a token that only reads changes nothing`, async () => {
    const call = { name: "comment_issue", arguments: { project_id: 1, issue_id: 1, text: "x" } };
    const { tools, results } = await ask(release, mode, "read", [call]);
    assert.ok(tools.every((tool) => tool.annotations.readOnlyHint));
    assert.ok(results[0].isError);
    assert.match(results[0].content[0].text, /scopes read, but write is required/);
  });
}
