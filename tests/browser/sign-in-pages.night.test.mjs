// The pages of signing in, of the account and of the organization in their states: full, empty, while
// they load, and when that fails; in each look.

import { CodeHost } from "./code-host.mjs";
import { IdentityProvider, logIn } from "./oidc.mjs";
import { arrived, button, invite, member, settings, startSite, visit } from "./people.mjs";
import { owner } from "./server.mjs";
import { claimLink } from "./story.mjs";
import { after, before, test } from "./suite.mjs";
import { heldBack, matrix, openPage, pictures } from "./web.mjs";

// Nothing here changes what another test looks at: both workers take their part.
test.describe.configure({ mode: "parallel" });

let idp;
let host;
/** With people, keys and history; with nothing but the owner; without passwords, and not claimed. */
let full;
let bare;
let unclaimed;
let link;
let knownLink;
let memberToken;

const out = { signedIn: false };
const names = ["Grace Hopper", "Ken Thompson", "Barbara Liskov", "W".repeat(120), "李小龍", ""];

before(async () => {
  idp = await IdentityProvider.start();
  host = await CodeHost.start();
  full = await startSite({ provider: idp, variables: { SSO_JIT_POLICY: "create_member", ADMIN_EMAILS: "person1@example.com", ...host.variables() } });
  bare = await startSite();
  unclaimed = await startSite({ claim: false, provider: idp, variables: { PASSWORD_AUTH_ENABLED: "false" } });
  for (const [at, name] of names.entries()) {
    const person = await member(full, `person${at}@example.com`, { role: at < 2 ? "admin" : "member", ...(name && { name }) });
    if (at === 2) memberToken = person.token;
    if (at === 4) await full.post(`/api/v1/organizations/1/members/${person.id}`, { status: "disabled" }, { method: "PATCH" });
  }
  for (let at = 0; at < 4; at += 1) await invite(full, at === 0 ? `${"a-rather-long-name-".repeat(3)}@${"department.".repeat(6)}example.com` : `guest${at}@example.com`, at % 2 ? "admin" : "member");
  link = new URL((await invite(full, "new@example.com", "admin")).invite_url);
  knownLink = new URL((await known()).invite_url);
  for (const name of ["wall display", "x".repeat(100)]) await full.post("/api/v1/organizations/1/api-keys", { name }, { expect: 201 });
  for (const [name, days] of [["nightly report", 90], ["release script", null], ["y".repeat(100), 7]]) {
    await full.post("/api/v1/me/tokens", { name, scopes: ["read", "write"], expires_in_days: days }, { expect: 201, headers: { Origin: full.origin } });
  }
  for (const agent of ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1", "curl/8.14.1", ""]) {
    await full.post("/auth/password/login", { email: owner.email, password: owner.password }, { token: null, headers: { "User-Agent": agent } });
  }
  idp.person("ada", { email: owner.email, email_verified: true });
  await visit(full, "/auth/sso/start", async (page, context) => {
    await logIn(page, "ada");
    await arrived(full, page, context, owner.email);
  }, { others: [idp.issuer] });
});
after(async () => {
  for (const site of [full, bare, unclaimed]) await site?.stop();
  await idp?.close();
  await host?.close();
});

/** Somebody who was removed, and is invited again. */
async function known() {
  const gone = await member(full, "back@example.com");
  await full.request(`/api/v1/organizations/1/members/${gone.id}`, { method: "DELETE", expect: 204 });
  return invite(full, "back@example.com");
}

const local = (url) => url.pathname + url.search;
const heading = (page, name) => page.getByRole("heading", { name }).first().waitFor();
const text = (page, words) => page.getByText(words).first().waitFor();

test("setup through a provider", () => matrix("setup-sso", unclaimed, claimLink(unclaimed).path, out, (page) => button(page, "Claim with Acme login").waitFor()));

test("the sign-in page with every way in, with an error, and before it knows the ways", async () => {
  await matrix("login", full, "/login", out, (page) => button(page, "Continue with GitHub").waitFor());
  await matrix("login-error", full, "/login?error=email_unverified", out, (page) => text(page, "not verified"));
  await matrix("login-wrong", full, "/login", { ...out }, async (page) => {
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await button(page, "Sign in").click();
    await page.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
  });
  await loadsAndFails("login", "/login", "**/auth/desktop/methods", out, (page) => button(page, "Sign in").waitFor());
});

test("the page of an invitation: for somebody new, for somebody with an account, used up, and cut", async () => {
  await matrix("register", full, local(link), out, (page) => heading(page, "Join Acme"));
  await matrix("register-known", full, local(knownLink), out, (page) => text(page, "You already have an account here."));
  await matrix("register-gone", full, "/register?token=gone", { ...out, allow: [403] }, (page) => heading(page, "This invitation is no longer valid"));
  await matrix("register-cut", full, "/register", out, (page) => heading(page, "You need an invitation"));
  await loadsAndFails("register", local(link), "**/auth/invitation", out);
});

test("the pages around a password and an address", async () => {
  await matrix("forgot", full, "/forgot-password", out, (page) => heading(page, "Forgot your password?"));
  await matrix("forgot-sent", full, "/forgot-password", out, async (page) => {
    await page.getByLabel("E-mail").fill("somebody@example.com");
    await button(page, "Send link").click();
    await heading(page, "This server does not send mail");
  });
  await matrix("reset", full, "/reset-password#token=abc", out, (page) => heading(page, "Set a new password"));
  await matrix("reset-gone", full, "/reset-password", out, (page) => heading(page, "This link is incomplete"));
  await matrix("confirm-email", full, "/confirm-email#token=abc", out, (page) => heading(page, "Confirm your e-mail address"));
});

/** The pages of those who are signed in: what they ask for, and what stands there when they are full and empty. */
const pages = [
  ["account", "/account", "**/api/v1/me", "Linked accounts", "E-mail"],
  ["account-sessions", "/account/sessions", "**/api/v1/me/sessions", "Sign out everywhere else…", "You are not signed in anywhere else."],
  ["account-tokens", "/account/tokens", "**/api/v1/me/tokens", "nightly report", "No active tokens"],
  ["organization", "/organizations/1/settings", "**/api/v1/organizations", "Transfer ownership", "No other members"],
  ["members", settings("members"), "**/api/v1/organizations/1", "Grace Hopper", "No pending invitations."],
  ["organization-keys", settings("keys"), "**/api/v1/organizations/1/api-keys", "wall display", "No active keys"],
  ["sign-in-settings", settings("sign-in"), "**/api/v1/organizations/1/sign-in", "Callback URL", "Then add what the provider gives you"],
  ["audit", settings("audit"), "**/api/v1/organizations/1/audit*", "Sent an invitation", "Claimed the instance"],
];
for (const [name, path, asked, whenFull, whenEmpty] of pages) {
  test(`${name}: full and empty`, async () => {
    await matrix(name, full, path, {}, (page) => text(page, whenFull));
    const seen = (page) => page.getByText(whenEmpty).or(page.getByPlaceholder(whenEmpty)).first().waitFor();
    await matrix(`${name}-empty`, bare, path, {}, seen);
  });
  // Whether somebody is signed in is asked of the same address before there is a page.
  if (name === "account") continue;
  test(`${name}: while it loads, and when that fails`, async () => {
    await loadsAndFails(name, path, asked);
  });
}

test("what a member sees of the organization", async () => {
  for (const section of ["members", "keys"]) {
    await matrix(`member-${section}`, full, settings(section), { token: memberToken }, (page) => page.getByRole("note").waitFor());
  }
});

test("dialogs: a new token, a secret that is shown once, a removal, a password link", async () => {
  await matrix("token-new", full, "/account/tokens", {}, (page) => button(page, "New token…").click());
  await matrix("token-kept", bare, "/account/tokens", {}, async (page) => {
    await button(page, "New token…").click();
    await page.getByLabel("Name").fill("nightly report");
    await button(page, "Create token").click();
    await page.getByRole("group", { name: "New token" }).waitFor();
  });
  const menu = async (page, item) => {
    await page.getByRole("button", { name: "Actions for Grace Hopper" }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await page.getByRole("dialog").waitFor();
  };
  await matrix("member-remove", full, settings("members"), {}, (page) => menu(page, "Remove"));
  await matrix("password-link", full, settings("members"), {}, async (page) => {
    await menu(page, "Create password link…");
    await button(page, "Create link").click();
    await page.getByRole("group", { name: "Password link" }).waitFor();
  });
});

test("the report of a check that fails", async () => {
  idp.misbehave({ issuer: "https://login.other.example" });
  try {
    await matrix("sign-in-check", full, settings("sign-in"), {}, async (page) => {
      await page.getByRole("button", { name: "Check" }).first().click();
      await text(page, "The check failed.");
    });
  } finally {
    idp.misbehave();
  }
});

/** A page whose answer does not come yet, and is a failure of the server's then. */
async function loadsAndFails(name, path, pattern, options = {}, failed = (page) => text(page, /could not be|The server failed/)) {
  const failure = { status: 500, json: { detail: "The server failed. Its log has the cause." } };
  let held;
  const routes = async (page) => void (held = await heldBack(page, pattern, (route) => route.fulfill(failure)));
  const opened = await openPage(full, path, { ...options, routes, wait: false, allow: [500, ...(options.allow ?? [])] });
  try {
    // Not before 200 ms, so that nothing flickers.
    await opened.page.locator('[aria-busy="true"] [class*="Skeleton"]').first().waitFor();
    await pictures(opened.page, `${name}-loading`);
    held.go();
    await failed(opened.page);
    await pictures(opened.page, `${name}-failing`);
    opened.check();
  } finally {
    await opened.close();
  }
}
