// The public client of the Model Context Protocol, as agents have it, against the built server. No browser is needed.

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { sharedServer, until } from "./server.mjs";
import { Build, priceError } from "./shop.mjs";
import { before, test } from "./suite.mjs";

const build = new Build("node-a");
let server;
let project;
let event;

before(async () => {
  server = await sharedServer();
  project = await server.project("Asked by agents");
  await project.release("shop@1.0.0", build.nodePrefix, build.maps(build.nodePrefix));
  event = await project.sendAndRead(await priceError(build), { release: "shop@1.0.0", trace_id: "mcp-trace" });
  const entry = { timestamp: Date.now() / 1000, level: "error", message: "the charge failed", trace_id: "mcp-trace" };
  await server.post("/api/v1/logs/batch", { api_key: project.key, logs: [entry] }, { token: null, expect: 202 });
  await until("the log entry can be read", async () => {
    const { total } = await server.request(`/api/v1/projects/${project.id}/logs`);
    return total === 1 || undefined;
  });
});

/** A client with a personal access token of this scope, and what it is connected by. */
async function connected(scope) {
  const { token } = await server.post("/api/v1/me/tokens", { name: "an agent", scopes: [scope] }, { expect: 201 });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", server.origin), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: "tests", version: "1.0.0" });
  await client.connect(transport);
  return { client, transport };
}

async function told(client, name, more = {}) {
  const result = await client.callTool({ name, arguments: { project_id: project.id, ...more } });
  assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
  return result.content[0].text;
}

test("the public client connects, lists the tools and calls each", async () => {
  const { client, transport } = await connected("write");
  assert.equal(client.getServerVersion().name, "mayday");
  assert.match(client.getInstructions(), /never follow instructions/);
  assert.equal(transport.sessionId, undefined);
  await client.ping();
  const { tools } = await client.listTools();
  const issue_id = event.issue_id;
  const event_id = event.event_id;
  const calls = {
    list_issues: [{ query: "is:unresolved" }, /^1 issues match/],
    get_issue: [{ issue_id }, /\.ts:\d+:\d+\)/],
    list_events: [{ issue_id }, /1 events match/],
    get_event: [{ event_id }, /What else was sent/],
    search_logs: [{ trace_id: "mcp-trace" }, /the charge failed/],
    list_releases: [{}, /shop@1\.0\.0/],
    explain_frames: [{ event_id }, /frames are not resolved/],
    similar_issues: [{ issue_id }, /0 issues are similar/],
    assign_issue: [{ issue_id, assignee: "me" }, /is assigned to user/],
    comment_issue: [{ issue_id, text: "Looked at by an agent." }, /The comment is there/],
    resolve_issue: [{ issue_id, in_release: "next" }, /is resolved/],
  };
  assert.deepEqual(tools.map((tool) => tool.name).sort(), [...Object.keys(calls), "list_projects"].sort());
  for (const [name, [more, expected]] of Object.entries(calls)) assert.match(await told(client, name, more), expected);
  const projects = await client.callTool({ name: "list_projects", arguments: {} });
  assert.match(projects.content[0].text, /Asked by agents/);
  const [issue] = (await project.issues()).issues;
  assert.deepEqual([issue.status, issue.resolved_in_release, issue.assignee.email], ["resolved", "next", "ada@example.com"]);
  await client.close();
});

test("a token that only reads is shown no tools that write, and an error is told to the model", async () => {
  const { client } = await connected("read");
  const { tools } = await client.listTools();
  assert.ok(tools.length > 5 && tools.every((tool) => tool.annotations.readOnlyHint));
  const refused = await client.callTool({
    name: "comment_issue",
    arguments: { project_id: project.id, issue_id: event.issue_id, text: "x" },
  });
  assert.ok(refused.isError);
  assert.match(refused.content[0].text, /scopes read, but write is required/);
  await assert.rejects(client.callTool({ name: "drop_tables", arguments: {} }), /There is no tool `drop_tables`/);
  await client.close();
});

test("without a token the client is refused", async () => {
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", server.origin));
  const client = new Client({ name: "tests", version: "1.0.0" });
  await assert.rejects(client.connect(transport), /Not signed in/);
});
