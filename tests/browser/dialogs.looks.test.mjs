// Every dialog, drawer and list of choices beside those in `menus.looks.test.mjs`: each is opened, and held to all rules
// of WCAG that axe knows, wide and narrow, in both schemes.

import assert from "node:assert/strict";
import { button, invite, member, settings, startSite } from "./people.mjs";
import { fillLogs } from "./log-seed.mjs";
import { startOutside } from "./outside.mjs";
import { send, story } from "./recorded.mjs";
import { ScriptedRunner } from "./scripted-runner.mjs";
import { fill } from "./seed.mjs";
import { after, before, test } from "./suite.mjs";
import { judge } from "./wcag.mjs";
import { endSessionAtChange, onPage } from "./web.mjs";

/** A name as long as it may be, without a place to break it. */
const long = "x".repeat(128);

let server;
let shop;
let issue;
let replay;
let outside;
/** Sessions by what can be done with them. */
let sessions;
/** The session of a member. */
let grace;

before(async () => {
  outside = await startOutside();
  const allowed = { SERVICE_ALERTS_ALLOW_PRIVATE_URLS: "true", SERVICE_CONNECTIONS_ALLOW_PRIVATE_URLS: "true" };
  server = await startSite({ variables: allowed });
  shop = await server.project("Shop");
  await fill(shop, 3);
  await fillLogs(shop, 40);
  await shop.createRelease("1.4.2", "~/");
  await shop.createRelease("1.4.1", "~/");
  const partlyWrong = { version: 3, sources: ["a.ts"], sourcesContent: ["x"], names: [], mappings: "AAAA,ACAA;ADAA" };
  await shop.uploadMap({ release: "1.4.1", url: "~/a.js", map: JSON.stringify(partlyWrong) });
  issue = (await shop.issues()).issues[0].id;
  replay = await send(server, shop, story());
  grace = (await member(server, "grace@example.com", { name: "Grace Hopper" })).token;
  const { id: away } = await member(server, "alan@example.com", { name: "Alan Turing" });
  await server.request(`/api/v1/organizations/1/members/${away}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ status: "disabled" }),
  });
  await invite(server, "bob@example.com");
  await server.post(`/api/v1/projects/${shop.id}/api-keys`, { name: long, scopes: ["ingest"] }, { expect: 201 });
  await server.post("/api/v1/organizations/1/api-keys", { name: "wall display" }, { expect: 201 });
  await server.post("/api/v1/me/tokens", { name: "nightly report", scopes: ["read"] }, { expect: 201 });
  await server.signIn();
  await alert();
  await server.post("/api/v1/organizations/1/connections", { kind: "linear", display_name: "Linear", token: "lin_api_canary", url: outside.url }, { expect: 201 });
  sessions = await agents();
});
after(async () => {
  await server?.stop();
  outside?.stop();
});

async function alert() {
  const path = `/api/v1/projects/${shop.id}`;
  const hook = { name: "Hook", kind: "webhook", url: `${server.origin}/nowhere` };
  const { id } = await server.post(`${path}/alert-channels`, hook, { expect: 201 });
  await server.post(`${path}/alert-rules`, { name: "New", condition: { type: "new" }, channels: [id] }, { expect: 201 });
}

/** A session that took too long, one whose work is held back, and one that a program has started. */
async function agents() {
  const { repo } = await server.post("/api/repos", { hostRepoId: "1", hostUrl: "https://git.example/acme/shop.git", hostRepoName: "acme/shop" });
  const { token } = await server.post("/api/runners", { name: "Workshop" }, { expect: 201 });
  const { token: program } = await server.post("/api/v1/me/tokens", { name: "a program", scopes: ["read", "write"] }, { expect: 201 });
  const runner = new ScriptedRunner(server, token);
  await runner.claim();
  const taken = async (title, as = server.token) => {
    await server.post("/api/sessions", { title, prompt: "Look", projectId: shop.id, repoId: repo.id }, { token: as, expect: 201 });
    return (await runner.take()).session_id;
  };
  const late = await taken("Takes long");
  await runner.finish("timed_out");
  const held = await taken("Changes the build");
  await runner.finish("completed", {
    patch: "+mended",
    held: [{ path: ".github/workflows/run.yml", why: "decides what a build server runs" }],
    held_commit: "0123456789abcdef0123456789abcdef01234567",
  });
  return { late, held, reading: await taken("Started by a program", program) };
}

const project = (path) => () => `/projects/${shop.id}/${path}`;
const list = project("issues");
const issuePage = () => `${list()}/${issue}`;
const organization = (section) => () => settings(section).replace(/\/$/, "");
const session = (which) => () => `/organizations/1/sessions/${sessions[which]}`;
const account = (section) => () => `/account${section ? `/${section}` : ""}`;

const press = (name) => (page) => button(page, name).first().click();
/** What waits for a person comes before the facts, for the keyboard, too. */
const waitsFirst = async (page) => {
  const facts = await page.getByRole("complementary", { name: "About this session" }).elementHandle();
  const isFirst = (release, aside) => (release.compareDocumentPosition(aside) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
  assert.ok(await button(page, "Release…").evaluate(isFirst, facts));
};
const dialog = (name) => (page) => page.getByRole("dialog", { name });
const option = (name) => (page) => page.getByRole("option", { name }).first();
const item = (name) => (page) => page.getByRole("menuitem", { name });
// What is chosen may lie over the field itself.
const choices = (name, how) => (page) => page.getByRole("combobox", { name }).first().click(how);
/** One step after the other. */
const steps = (...all) => async (page) => {
  for (const step of all) await step(page);
};
const leaving = steps(
  (page) => page.getByLabel("Name", { exact: true }).fill("Other"),
  (page) => page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Devices" }).click(),
);

/** Name, page, how it is opened, what is in it then, and how wide it is looked at where not at both widths. */
const dialogs = [
  // On a narrow screen another bell opens it: see `drawers`.
  ["bell", list, press(/^Inbox/), item("Open the inbox"), [1440]],
  ["palette-found", list, steps((page) => page.keyboard.press("Control+k"), (page) => page.getByRole("textbox", { name: "Go to" }).fill("shop")), (page) => page.getByRole("button", { name: /Search issues for/ })],
  ["logs-range", project("logs"), press("Last 24 hours"), dialog("Last 24 hours")],
  ["logs-help", project("logs"), press("How to search"), dialog("How to search")],
  ["comment-leave", issuePage, steps(leaveComment, toReleases), dialog("Discard your comment?")],
  ["release-delete", project("releases/1.4.2"), press(/^Delete/), dialog("Delete release?")],
  ["replay-delete", () => `/projects/${shop.id}/replays/${replay.replay_id}`, press(/^Delete/), dialog("Delete replay?")],
  ["project-delete", project("settings/general"), press(/^Delete project/), dialog("Delete project?")],
  ["key-new", project("settings/keys"), press("New key…"), dialog("New key")],
  ["key-made", project("settings/keys"), steps(press("New key…"), uploadKey), dialog("Copy your new key")],
  ["key-leave", project("settings/general"), steps(toKeys, press("New key…"), uploadKey, (page) => dialog("Copy your new key")(page).waitFor(), goBack), dialog("Leave without copying it?")],
  ["key-revoke", project("settings/keys"), press(`Revoke ${long}`), dialog("Revoke key?")],
  ["channel-new", project("settings/alerts"), press("New channel…"), dialog("New channel")],
  ["channel-kind", project("settings/alerts"), steps(press("New channel…"), choices("Kind")), option("Slack")],
  ["channel-edit", project("settings/alerts"), press("Edit Hook"), dialog("Edit channel")],
  ["channel-delete", project("settings/alerts"), press("Delete Hook"), dialog("Delete channel?")],
  ["rule-new", project("settings/alerts"), press("New rule…"), dialog("New rule")],
  ["rule-when", project("settings/alerts"), steps(press("New rule…"), choices("When")), option(/./)],
  ["rule-levels", project("settings/alerts"), steps(press("New rule…"), choices("Levels (optional)", { force: true })), option("fatal")],
  ["rule-edit", project("settings/alerts"), press("Edit New"), dialog("Edit rule")],
  ["rule-delete", project("settings/alerts"), press("Delete New"), dialog("Delete rule?")],
  ["retention", project("settings/retention"), limitEvents, dialog("Delete what is beyond these limits?")],
  ["quarantine-delete", project("settings/set-aside"), press("Delete event-1"), dialog("Delete event?")],
  ["quarantine-delete-all", project("settings/set-aside"), press("Delete all…"), dialog("Delete all events in quarantine?")],
  ["owner", organization(""), choices("New owner"), option(/Grace/)],
  ["hand-over", organization(""), steps(choices("New owner"), (page) => option(/Grace/)(page).click(), press("Transfer…")), dialog("Transfer ownership?")],
  ["role", organization("members"), steps(press(/^Role of Grace/), (page) => page.keyboard.press("ArrowDown")), (page) => page.getByRole("menuitemradio", { name: /^admin/ })],
  ["member", organization("members"), press("Actions for Grace Hopper"), item("Disable…")],
  ["member-disable", organization("members"), steps(press("Actions for Grace Hopper"), (page) => item("Disable…")(page).click()), dialog("Disable member?")],
  ["member-remove", organization("members"), steps(press("Actions for Grace Hopper"), (page) => item("Remove…")(page).click()), dialog("Remove member?")],
  ["member-enable", organization("members"), steps(press("Actions for Alan Turing"), (page) => item("Enable…")(page).click()), dialog("Enable member?")],
  ["member-link", organization("members"), steps(press("Actions for Grace Hopper"), (page) => item(/link/i)(page).click()), dialog("Password link")],
  ["invite-as", organization("members"), choices("Invite as"), option("as admins")],
  ["invitation-revoke", organization("members"), press("Revoke invitation for bob@example.com"), dialog("Revoke invitation?")],
  ["connect", organization("connections"), press("Connect a service…"), dialog("Connect a service")],
  ["connect-kind", organization("connections"), steps(press("Connect a service…"), choices("Service")), option("Jira")],
  ["connection-edit", organization("connections"), press("Edit Linear"), dialog("Edit connection")],
  ["connection-delete", organization("connections"), press("Disconnect Linear"), dialog("Disconnect service?")],
  ["ticket-create", issuePage, press("Create ticket…"), dialog(/ticket/i), [1440]],
  ["ticket-where", issuePage, steps(press("Create ticket…"), choices("Where")), option("Shop (SHP)"), [1440]],
  ["ticket-attach", issuePage, press("Attach…"), dialog("Attach ticket"), [1440]],
  ["release-compare", project("releases/1.4.2/compare"), choices("with"), option("1.4.1")],
  ["release-map", project("releases/1.4.1"), press("partly wrong"), dialog("partly wrong")],
  ["agents-in", () => "/organizations/1/repositories", press("Agents in acme/shop"), dialog("Agents in acme/shop")],
  ["session-continue", session("late"), press("Continue…"), dialog("Let the session go on?")],
  ["session-held", session("held"), steps(waitsFirst, press("Release…")), dialog("Release what was held back?")],
  ["session-leave", session("reading"), steps((page) => page.getByLabel("Message to the agent").fill("half a thought"), toReleases), dialog("Discard your message?")],
  ["session-mode", session("reading"), press("Let it push…"), dialog("Let this session push?")],
  ["organization-key-new", organization("keys"), press("New key…"), dialog("New key")],
  ["organization-key-revoke", organization("keys"), press("Revoke wall display"), dialog("Revoke key?")],
  ["audit-actor", organization("audit"), choices("Actor"), option(/Ada|ada/)],
  ["profile-leave", account(""), leaving, dialog("Leave without saving?")],
  ["email", account(""), press("Change e-mail address…"), dialog("Change e-mail address")],
  ["session-end", account("sessions"), press(/^Sign out (?!everywhere)/), dialog("Sign out device?")],
  ["sessions-end", account("sessions"), press("Sign out everywhere else…"), dialog(/^Sign out \d+ other device/)],
  ["token-new", account("tokens"), press("New token…"), dialog("New access token")],
  ["token-expiry", account("tokens"), steps(press("New token…"), choices("Expires")), option(/30 days/)],
  ["token-made", account("tokens"), steps(press("New token…"), (page) => page.getByLabel("Name", { exact: true }).fill("CI"), press("Create token")), dialog("Copy your new token")],
  ["token-revoke", account("tokens"), press("Revoke nightly report"), dialog("Revoke token?")],
];

/** What only others see, or only after an answer that the server here does not give: with how the page is opened. */
const special = [
  ["member-leave", organization("members"), steps(press("Actions for Grace Hopper"), (page) => item("Leave organization…")(page).click()), dialog("Leave organization?"), () => ({ token: grace })],
  ["invitation-delete", organization("members"), steps((page) => page.getByText("1 expired invitation").click(), press("Delete invitation for late@example.com")), dialog("Delete invitation?"), () => ({ routes: expiredInvitation })],
  ["identity-unlink", account(""), press("Unlink GitHub"), dialog("Unlink account?"), () => ({ routes: linkedAccount })],
  ["owner-link", organization(""), steps(choices("New owner"), (page) => option(/Grace/)(page).click(), press("Transfer…"), transfer), dialog("Link for the new owner"), () => ({ routes: newOwner })],
  ["session-ended", list, endSession, dialog("You have been signed out"), async () => ({ token: await server.signIn(), allow: [401] })],
];

/** What is a drawer on narrow screens alone, or is opened there in another way. */
const drawers = [
  ["menu", list, press("More"), dialog("Mayday")],
  ["bell", list, press(/^Inbox/), item("Open the inbox")],
  ["project", list, press(/^Project:/), item("New project")],
  ["person", list, steps(press("More"), (page) => page.getByRole("dialog").getByRole("button", { name: /^You:/ }).click()), item("Sign out")],
  ["sections", project("settings/keys"), press(/^Project: Keys/), (page) => page.getByRole("link", { name: "Limits" })],
  ["log-entry", project("logs"), (page) => page.getByRole("row").nth(1).click(), dialog("Log entry")],
  ["ticket-create", issuePage, steps(press("Show trend, releases, users and tags"), press("Create ticket…")), dialog(/ticket/i)],
  ["ticket-attach", issuePage, steps(press("Show trend, releases, users and tags"), press("Attach…")), dialog("Attach ticket")],
  ["log-fields", project("logs"), press("Fields"), dialog("Fields")],
];

async function leaveComment(page) {
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByLabel("Comment").first().fill("half a thought");
}

async function toReleases(page) {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Releases" }).click();
}

async function toKeys(page) {
  await page.getByRole("navigation", { name: "Settings" }).locator(`a[href$="/projects/${shop.id}/settings/keys"]`).click();
}

async function goBack(page) {
  await page.evaluate(() => history.back());
}

async function limitEvents(page) {
  await page.getByRole("group", { name: "Events" }).getByLabel("Number").fill("1");
  await page.getByText(/These limits remove/).waitFor();
  await button(page, "Save").click();
}

async function transfer(page) {
  const asked = page.getByRole("dialog", { name: "Transfer ownership?" });
  await asked.getByRole("textbox").fill("grace@example.com");
  await button(asked, "Transfer ownership").click();
}

/** The next change is refused, since the session has ended meanwhile. */
async function endSession(page, { token }) {
  await page.getByRole("checkbox", { name: /^Select [A-Z0-9-]+-\d+$/ }).first().click();
  await endSessionAtChange(page, server, token);
  await button(page, "Priority").click();
  await item("high")(page).click();
}

/** Answers what the app asks with a changed answer of the server. */
const changed = (pattern, change) => (page) =>
  page.route(pattern, async (route) => {
    if (route.request().method() !== "GET" || route.request().resourceType() !== "fetch") return route.fallback();
    const response = await route.fetch();
    return route.fulfill({ response, json: change(await response.json()) });
  });

const time = "2026-11-20T10:00:00.000Z";
const expiredInvitation = changed(/\/invitations\?.*status=expired/, (answer) => ({
  ...answer,
  invitations: [
    {
      id: 1_000,
      organization_id: 1,
      email: "late@example.com",
      role: "member",
      status: "expired",
      created_at: time,
      expires_at: time,
      accepted_at: null,
      invited_by: null,
      invite_url: null,
      delivery_status: "skipped",
      delivery_error: null,
    },
  ],
  total: 1,
}));
const linkedAccount = changed(/\/api\/v1\/me$/, (answer) => ({
  ...answer,
  identities: [{ id: 1, provider: "github", issuer: "https://api.github.com", email: "ada@example.org", created_at: time, last_used_at: null }],
}));
const newOwner = (page) =>
  page.route(/\/organizations\/1\/owner$/, (route) =>
    route.fulfill({ json: { reset_link: { url: `${server.origin}/password#token=${"x".repeat(43)}`, expires_at: time } } }),
  );

async function uploadKey(page) {
  await page.getByRole("radio", { name: /^Uploading source maps/ }).check();
  await button(page, "Create key").click();
}

/** Only a server that is broken on purpose has any of these. */
const quarantined = {
  events: [{ id: 1, event_id: "event-1", received_at: "2026-11-24T10:00:00.000Z", reason: "no such column", size: 1_234_567 }],
  total: 1,
  dropped: 0,
  has_more: false,
};

const routes = async (page) => {
  await page.route(/\/set-aside(\?|$)/, (route) => (route.request().resourceType() === "fetch" ? route.fulfill({ json: quarantined }) : route.continue()));
};

for (const [name, path, open, shown, widths = [1440, 390]] of dialogs) {
  test(`what is open: ${name}`, async () => {
    await onPage(server, path(), { routes }, async (page) => {
      await open(page);
      await shown(page).waitFor();
      await judge(page, `dialog-${name}`, widths);
    });
  });
}

for (const [name, path, open, shown, opened] of special) {
  test(`what is open: ${name}`, async () => {
    const options = await opened();
    await onPage(server, path(), options, async (page) => {
      await open(page, options);
      await shown(page).waitFor();
      await judge(page, `dialog-${name}`, [1440, 390]);
    });
  });
}

for (const [name, path, open, shown] of drawers) {
  test(`what is open on a narrow screen: ${name}`, async () => {
    await onPage(server, path(), { width: 390 }, async (page) => {
      await open(page);
      await shown(page).waitFor();
      await judge(page, `drawer-${name}`, [390]);
    });
  });
}
