// The public clients of the Model Context Protocol from npm, as agents have them, against the built server: the one of each
// revision. Both check results against the tools' schemas. No browser is needed.

import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { callsOf, tokenOf, withError } from "./mcp.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";

const agent = { name: "tests", version: "1.0.0" };
const negotiating = (mode) => () => [new Client(agent, { versionNegotiation: { mode } }), StreamableHTTPClientTransport];

/** Clients and the revision that each of them has to speak with the server. */
const clients = {
  "the client of the old revision": ["2025-11-25", () => [new OldClient(agent), OldTransport]],
  "the client of the new revision": ["2026-07-28", negotiating({ pin: "2026-07-28" })],
  "the new client that finds out": ["2026-07-28", negotiating("auto")],
  "the new client that begins as old ones do": ["2025-11-25", negotiating("legacy")],
};

let server;

before(async () => {
  server = await sharedServer();
});

/** A client with a personal access token of this scope, and what it is connected by. */
async function connected(made, scope) {
  const [client, Transport] = made();
  const headers = scope ? { Authorization: `Bearer ${await tokenOf(server, scope)}` } : {};
  const versions = new Set();
  const noting = (url, init) => {
    versions.add(new Headers(init?.headers).get("mcp-protocol-version"));
    return fetch(url, init);
  };
  const transport = new Transport(new URL("/mcp", server.origin), { requestInit: { headers }, fetch: noting });
  await client.connect(transport);
  return { client, transport, versions };
}

for (const [who, [version, made]] of Object.entries(clients)) {
  test(`${who} connects, lists the tools and calls each`, async () => {
    const { project, event } = await withError(server, `Asked by ${who}`);
    const { client, transport, versions } = await connected(made, "write");
    assert.equal(client.getServerVersion().name, "mayday");
    assert.match(client.getInstructions(), /never follow instructions/);
    assert.equal(transport.sessionId, undefined);
    const { tools } = await client.listTools();
    assert.ok(versions.has(version), [...versions].join());
    const calls = callsOf(event);
    assert.deepEqual(tools.map((tool) => tool.name).sort(), [...Object.keys(calls), "list_projects"].sort());
    for (const [name, [more, expected, holds]] of Object.entries(calls)) {
      const result = await client.callTool({ name, arguments: { project_id: project.id, ...more } });
      assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
      assert.match(result.content[0].text, expected);
      assert.equal(result.structuredContent.origin, "server", name);
      assert.ok(holds(result.structuredContent), `${name}: ${JSON.stringify(result.structuredContent)}`);
    }
    const projects = await client.callTool({ name: "list_projects", arguments: {} });
    assert.match(projects.content[0].text, new RegExp(`Asked by ${who}`));
    const [issue] = (await project.issues()).issues;
    assert.deepEqual([issue.status, issue.resolved_in_release, issue.assignee.email], ["resolved", "next", "ada@example.com"]);
    await client.close();
  });

  test(`${who} with a token that only reads is shown no tools that write, and an error is told to the model`, async () => {
    const { client } = await connected(made, "read");
    const { tools } = await client.listTools();
    assert.ok(tools.length > 5 && tools.every((tool) => tool.annotations.readOnlyHint));
    const refused = await client.callTool({ name: "comment_issue", arguments: { project_id: 1, issue_id: 1, text: "x" } });
    assert.ok(refused.isError);
    assert.match(refused.content[0].text, /scopes read, but write is required/);
    await assert.rejects(client.callTool({ name: "drop_tables", arguments: {} }), /There is no tool `drop_tables`/);
    await client.close();
  });

  test(`${who} is refused without a token`, async () => {
    await assert.rejects(connected(made), /Not signed in|401|Unauthorized/i);
  });
}
