// What agents ask about: a project with an error, its log entry and a token for `/mcp`.

import { until } from "./server.mjs";
import { Build, priceError } from "./shop.mjs";

const build = new Build("node-a");

export const withError = async (server, name) => {
  const project = await server.project(name);
  await project.release("shop@1.0.0", build.nodePrefix, build.maps(build.nodePrefix));
  const event = await project.sendAndRead(await priceError(build), { release: "shop@1.0.0", trace_id: "mcp-trace" });
  const entry = { timestamp: Date.now() / 1000, level: "error", message: "the charge failed", trace_id: "mcp-trace" };
  await server.post("/api/v1/logs/batch", { api_key: project.key, logs: [entry] }, { token: null, expect: 202 });
  await until("the log entry can be read", async () => {
    const { total } = await server.request(`/api/v1/projects/${project.id}/logs`);
    return total === 1 || undefined;
  });
  return { project, event };
};

/** A personal access token of this scope. */
export const tokenOf = async (server, scope) => {
  const { token } = await server.post("/api/v1/me/tokens", { name: "an agent", scopes: [scope] }, { expect: 201 });
  return token;
};

/** A call of each tool but `list_projects`, what its text has to say, and a field of its result. */
export const callsOf = ({ issue_id, event_id }) => ({
  list_issues: [{ query: "is:unresolved" }, /^1 issues match/, (result) => result.issues[0].issue_id === issue_id],
  get_issue: [{ issue_id }, /\.ts:\d+:\d+\)/, ({ frames }) => frames.some(({ original }) => original?.origin === "repository")],
  list_events: [{ issue_id }, /1 events match/, ({ events }) => events[0].sent.event_id === event_id],
  get_event: [{ event_id }, /What else was sent/, ({ fields }) => fields.some(({ path }) => path === "trace_id")],
  search_logs: [{ trace_id: "mcp-trace" }, /the charge failed/, ({ entries }) => entries[0].origin === "event"],
  list_releases: [{}, /shop@1\.0\.0/, ({ releases }) => releases[0].sent.version === "shop@1.0.0"],
  explain_frames: [{ event_id }, /frames are not resolved/, ({ frames }) => Array.isArray(frames)],
  similar_issues: [{ issue_id }, /0 issues are similar/, ({ issues }) => issues.length === 0],
  assign_issue: [{ issue_id, assignee: "me" }, /is assigned to user/, ({ assignee }) => assignee.email === "ada@example.com"],
  comment_issue: [{ issue_id, text: "Looked at by an agent." }, /The comment is there/, (result) => result.comment_id > 0],
  resolve_issue: [{ issue_id, in_release: "next" }, /is resolved/, ({ status }) => status === "resolved"],
});
