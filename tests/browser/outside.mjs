// Stand-ins for a tracker and a chat, as far as the tests of the pages go. What they answer is held to Linear's schema and
// Slack's types: tests/outside.

import { createServer } from "node:http";

/** Slack: it says who it is, and has a channel. */
export const chat = (path) =>
  path.startsWith("/api/auth.test") ? { ok: true, team: "Acme chat" } : { ok: true, channels: [{ id: "C1", name: "errors" }] };

/** Linear: answers the `data` of a request, or undefined for an issue that nobody made. */
export function linear() {
  const made = [];
  const issue = (one) => ({
    id: one.id,
    identifier: "SHP-1",
    title: one.title,
    url: "https://linear.example/SHP-1",
    state: { name: "Todo", type: "unstarted" },
    team: { id: "team-1", name: "Shop" },
  });
  return ({ query, variables: { id, input } = {} }) => {
    if (query.includes("viewer")) return { viewer: { id: "user-1", name: "Ada" }, organization: { id: "acme", name: "Acme" } };
    if (query.includes("teams(")) {
      const pageInfo = { hasNextPage: false, endCursor: null };
      return { teams: { nodes: [{ id: "team-1", name: "Shop", key: "SHP" }], pageInfo } };
    }
    if (query.includes("issueCreate")) {
      made.push(input);
      return { issueCreate: { success: true, issue: issue(input) } };
    }
    const known = made.find((one) => one.id === id);
    return known && { issue: issue(known) };
  };
}

/** Both of them at an address; `isBroken` says whether Linear is under maintenance. Ended by `stop`. */
export async function startOutside(isBroken = () => false) {
  const answer = linear();
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => (body += text));
    request.on("end", () => {
      if (request.url.startsWith("/api/")) return response.end(JSON.stringify(chat(request.url)));
      const broken = isBroken();
      const data = broken ? undefined : answer(JSON.parse(body));
      const errors = [{ message: "Entity not found: Issue", extensions: { code: "INPUT_ERROR" } }];
      response.writeHead(broken ? 503 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(broken ? { message: "Maintenance" } : data ? { data } : { errors }));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
