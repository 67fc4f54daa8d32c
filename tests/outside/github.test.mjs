// What the server asks of GitHub, and what our stand-ins for GitHub answer, held to GitHub's own API document.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { test } from "node:test";
import { CodeHost } from "../browser/code-host.mjs";
import { exchanges, holdAll } from "./exchanges.mjs";
import { Document } from "./openapi.mjs";

// Beside it the package has those of GitHub's other products: its own entry reads all of them, 400 MB.
const path = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json");
const document = new Document(JSON.parse(readFileSync(path, "utf8")));
const isOfGithub = ({ path }) => /^\/(app|installation|repos)(\/|\?|$)/.test(path);
const known = exchanges().filter(isOfGithub);

test("what is asked of GitHub and answered in its place is in its API document", () => {
  holdAll(known, (one) => document.problems(one));
});

test("all that is asked of GitHub was tried", () => {
  const tried = new Set(known.map((one) => document.operation(one)));
  assert.deepEqual([...tried].sort(), [
    "GET /app",
    "GET /app/installations/{installation_id}",
    "GET /installation/repositories",
    "GET /repos/{owner}/{repo}/commits",
    "GET /repos/{owner}/{repo}/compare/{basehead}",
    "GET /repos/{owner}/{repo}/issues",
    "GET /repos/{owner}/{repo}/issues/{issue_number}",
    "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "GET /repos/{owner}/{repo}/pulls",
    "PATCH /repos/{owner}/{repo}/issues/{issue_number}",
    "POST /app/installations/{installation_id}/access_tokens",
    "POST /repos/{owner}/{repo}/issues",
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "POST /repos/{owner}/{repo}/pulls",
  ]);
});

/** What the host's API answers to somebody who signed in there. */
async function asSomebody(host, places) {
  const verifier = "a verifier";
  const asked = { client_id: "mayday", redirect_uri: "http://127.0.0.1/back", state: "x", code_challenge_method: "S256" };
  const query = new URLSearchParams({ ...asked, code_challenge: createHash("sha256").update(verifier).digest("base64url") });
  const post = (path, fields) => fetch(host.origin + path, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
  const allowed = await post(`/login/oauth/authorize?${query}`, { do: "allow", login: "ada" });
  const code = new URL(allowed.headers.get("location")).searchParams.get("code");
  const { HOST_OAUTH_CLIENT_SECRET: secret } = host.variables();
  const fields = { client_id: asked.client_id, client_secret: secret, redirect_uri: asked.redirect_uri, code, code_verifier: verifier };
  const { access_token: token } = await (await post("/login/oauth/access_token", fields)).json();
  const answer = async (path) => (await fetch(`${host.origin}/api${path}`, { headers: { Authorization: `Bearer ${token}` } })).json();
  return Promise.all(places.map(async (path) => ({ method: "GET", path, body: null, status: 200, answer: await answer(path) })));
}

test("what stands in for GitHub at a sign-in is in its API document, too", async () => {
  const host = await CodeHost.start();
  try {
    host.person("ada", { id: 7, name: "Ada", emails: [{ email: "ada@example.com", primary: true, verified: true, visibility: null }] });
    const answered = await asSomebody(host, ["/user", "/user/emails"]);
    assert.equal(answered[0].answer.login, "ada");
    holdAll(answered, (one) => document.problems(one));
  } finally {
    await host.close();
  }
});

test("what the document does not know is noticed", () => {
  const issue = { number: 1, title: "x", state: "open", html_url: "https://github.example/acme/shop/issues/1" };
  const made = { method: "POST", path: "/repos/acme/shop/issues", body: { title: "x" }, status: 201, answer: issue };
  const held = (change) => document.problems({ ...made, ...change });
  assert.deepEqual(held({}), []);
  for (const [what, change] of Object.entries({
    "a path": { path: "/repos/acme/shop/isues" },
    "a method": { method: "PUT" },
    "a name in the query": { path: "/repos/acme/shop/issues?per_pages=1" },
    "a number that is none": { method: "GET", path: "/repos/acme/shop/issues?per_page=x", body: null, status: 200, answer: [] },
    "a missing field of the body": { body: { body: "x" } },
    "a field of the body": { body: { title: "x", bdy: "y" } },
    "a field of another type": { body: { title: { text: "x" } } },
    "a status": { status: 202 },
    "a field of the answer": { answer: { ...issue, nmber: 1 } },
    "one of another type": { answer: { ...issue, number: "1" } },
    "a body where there is none": { method: "GET", body: {}, status: 200, answer: [] },
  })) {
    assert.notDeepEqual(held(change), [], what);
  }
});
