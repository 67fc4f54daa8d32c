// What the server asks of Slack, Jira, GitLab and Gitea, and what our stand-ins for them answer, held to the types of public
// clients: no registry has their API documents. Slack's and Gitea's are generated from these, the others written by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chat } from "../browser/outside.mjs";
import { exchanges } from "./exchanges.mjs";
import { misfits } from "./typed.mjs";

const imports = `import type * as slack from "@slack/web-api";
import type * as jira from "jira.js/version2";
import type * as gitlab from "@gitbeaker/core";
import type * as gitea from "gitea-js";
type Gitea = ReturnType<typeof gitea.giteaApi>;
// The client calls the text "comment", and sends it as "body".
type JiraComment = Omit<jira.Version2Models.Comment, "comment"> & { body: string };
`;

const jira = (name) => `jira.Version2Models.${name}`;
const jiraWants = (name) => `jira.Version2Parameters.${name}`;
// The fields of an issue are those of the project's own making, too.
const open = (type) => `Open<${type}>`;
const part = (type) => (type.startsWith("Open<") ? type : `Part<${type}>`);
const pages = "{ page: number; perPage: number }";

/** Method and path of each, the types of query or body, and of the answer. */
const operations = [
  ["POST /api/auth.test", "slack.AuthTestArguments", "slack.AuthTestResponse"],
  ["GET /api/conversations.list", "slack.ConversationsListArguments", "slack.ConversationsListResponse"],
  ["POST /api/chat.postMessage", "slack.ChatPostMessageArguments", "slack.ChatPostMessageResponse"],
  ["GET /rest/api/2/myself", "undefined", jira("User")],
  ["GET /rest/api/2/project/search", jiraWants("SearchProjects"), jira("PageProject")],
  ["GET /rest/api/2/project", "undefined", `${jira("Project")}[]`],
  ["GET /rest/api/2/search", jiraWants("SearchForIssuesUsingJql"), open(jira("SearchResults"))],
  ["GET /rest/api/2/search/jql", jiraWants("SearchForIssuesUsingJqlEnhancedSearch"), open(jira("SearchAndReconcileResults"))],
  ["GET /rest/api/2/issue/createmeta/*/issuetypes", "undefined", jira("PageOfCreateMetaIssueTypes")],
  ["POST /rest/api/2/issue", jiraWants("CreateIssue"), jira("CreatedIssue")],
  ["GET /rest/api/2/issue/*", jiraWants("GetIssue"), open(jira("Issue"))],
  ["GET /rest/api/2/issue/*/comment", jiraWants("GetComments"), "{ comments: JiraComment[] }"],
  ["POST /rest/api/2/issue/*/comment", "JiraComment", "JiraComment"],
  ["GET /rest/api/2/issue/*/transitions", "undefined", jira("Transitions")],
  ["POST /rest/api/2/issue/*/transitions", jiraWants("DoTransition"), "null"],
  ["GET /api/v4/user", "undefined", "gitlab.ExpandedUserSchema"],
  ["GET /api/v4/projects", `gitlab.AllProjectsOptions & ${pages}`, "gitlab.ProjectSchema[]"],
  ["GET /api/v4/projects/*/merge_requests", "gitlab.AllMergeRequestsOptions", "gitlab.MergeRequestSchema[]"],
  [
    "POST /api/v4/projects/*/merge_requests",
    "gitlab.CreateMergeRequestOptions & { sourceBranch: string; targetBranch: string }",
    "gitlab.MergeRequestSchema",
  ],
  ["GET /api/v4/projects/*/merge_requests/*", "undefined", "gitlab.MergeRequestSchema"],
  ["GET /api/v4/projects/*/issues", `gitlab.AllIssuesOptions & ${pages}`, "gitlab.IssueSchema[]"],
  ["POST /api/v4/projects/*/issues", "gitlab.CreateIssueOptions & { title: string }", "gitlab.IssueSchema"],
  ["GET /api/v4/projects/*/issues/*", "undefined", "gitlab.IssueSchema"],
  ["PUT /api/v4/projects/*/issues/*", "gitlab.EditIssueOptions", "gitlab.IssueSchema"],
  ["GET /api/v4/projects/*/issues/*/notes", `NonNullable<Parameters<gitlab.IssueNotes["all"]>[2]> & ${pages}`, "gitlab.IssueNoteSchema[]"],
  ["POST /api/v4/projects/*/issues/*/notes", 'NonNullable<Parameters<gitlab.IssueNotes["create"]>[3]> & { body: string }', "gitlab.IssueNoteSchema"],
  ["GET /api/v1/user", "undefined", "gitea.User"],
  ["GET /api/v1/user/repos", 'Parameters<Gitea["user"]["userCurrentListRepos"]>[0]', "gitea.Repository[]"],
  ["GET /api/v1/repos/*/*/pulls/*/*", "undefined", "gitea.PullRequest"],
  ["GET /api/v1/repos/*/*/pulls/*", "undefined", "gitea.PullRequest"],
  ["POST /api/v1/repos/*/*/pulls", "gitea.CreatePullRequestOption", "gitea.PullRequest"],
  ["GET /api/v1/repos/*/*/issues", 'Parameters<Gitea["repos"]["issueListIssues"]>[2]', "gitea.Issue[]"],
  ["POST /api/v1/repos/*/*/issues", "gitea.CreateIssueOption", "gitea.Issue"],
  ["GET /api/v1/repos/*/*/issues/*", "undefined", "gitea.Issue"],
  ["PATCH /api/v1/repos/*/*/issues/*", "gitea.EditIssueOption", "gitea.Issue"],
  ["GET /api/v1/repos/*/*/issues/*/comments", 'Parameters<Gitea["repos"]["issueGetComments"]>[3]', "gitea.Comment[]"],
  ["POST /api/v1/repos/*/*/issues/*/comments", "gitea.CreateIssueCommentOption", "gitea.Comment"],
];

const isOf = (pattern) => {
  const [method, path] = pattern.split(" ");
  const place = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll("*", "[^/]+")}$`);
  return (one) => one.method === method && place.test(one.path.split("?")[0]);
};

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const renamed = (value, name) => Object.fromEntries(Object.entries(value).map(([key, one]) => [name(key), one]));

/** What was asked, as a client of that service takes it. */
function asked({ path, body }) {
  const query = [...new URLSearchParams(path.split("?")[1])].map(([name, text]) => [name, typed(text)]);
  const all = { ...Object.fromEntries(query), ...body };
  if (Object.keys(all).length === 0 && body === null) return undefined;
  if (path.startsWith("/rest/") && all.fields?.split) return { ...all, fields: all.fields.split(",") };
  return path.startsWith("/api/v4/") ? renamed(all, camel) : all;
}

const typed = (text) => (/^\d+$/.test(text) ? Number(text) : /^(true|false)$/.test(text) ? text === "true" : text);

const known = exchanges().filter(({ path }) => /^\/(api|rest)\//.test(path));

test("what is asked of the others and answered in their place is of their clients' types", () => {
  const held = new Map();
  for (const one of known) {
    const [, wants, answers] = operations.find(([pattern]) => isOf(pattern)(one)) ?? assert.fail(`${one.method} ${one.path} is not in the list`);
    const value = asked(one);
    if (value !== undefined) held.set(JSON.stringify([wants, value]), { type: part(wants), value, one });
    // What refuses has no type of its own there.
    if (one.status < 300) held.set(JSON.stringify([answers, one.answer]), { type: part(answers), value: one.answer, one });
  }
  const wrong = misfits(imports, [...held.values()]);
  assert.equal(wrong.map(({ one, type, text }) => `${one.method} ${one.path}: ${type}: ${text}`).join("\n"), "");
});

test("what stands in for Slack beside the Web app answers so, too", () => {
  const held = operations.slice(0, 2).map(([pattern, , type]) => ({ type: part(type), value: chat(pattern.split(" ")[1]) }));
  assert.deepEqual(misfits(imports, held), []);
});

test("all that is asked of the others was tried", () => {
  const untried = operations.map(([pattern]) => pattern).filter((pattern) => !known.some(isOf(pattern)));
  assert.deepEqual(untried, []);
});

test("what is of no such type is noticed", () => {
  const wrong = [
    ["slack.AuthTestResponse", { teem: "Acme" }],
    ["jira.Version2Models.User", { displayName: 1 }],
    ["gitlab.ProjectSchema[]", [{ visibility: "hidden" }]],
    ["gitea.PullRequest", { html_url: null }],
  ];
  const found = misfits(imports, wrong.map(([type, value]) => ({ type: part(type), value })));
  assert.deepEqual(found.map(({ type }) => type), wrong.map(([type]) => part(type)));
});
