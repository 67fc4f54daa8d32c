// Servers that people sign in to, and the people: what the tests of signing in share.

import assert from "node:assert/strict";
import { Server, until } from "./server.mjs";
import { openPage } from "./web.mjs";

export const passphrase = "another passphrase for tests";

/**
 * Starts a server whose pages are opened at `localhost`, which it calls itself in links and callbacks;
 * providers stand at 127.0.0.1, so that they are another site to the browser.
 */
export async function startSite({ claim = true, provider, variables = {} } = {}) {
  const server = await Server.start({ claim, variables: { ...provider?.variables(), ...variables } });
  server.origin = server.origin.replace("127.0.0.1", "localhost");
  provider?.trust?.(server);
  return server;
}

export const button = (page, name) => page.getByRole("button", { name, exact: typeof name === "string" });
export const alert = (page, words) => page.getByRole("alert").filter({ hasText: words });
export const pathOf = (page) => new URL(page.url()).pathname;

/** A path of the one organization's pages. */
export const settings = (section) => `/organizations/1/settings/${section}`;

/** Invites somebody and answers with the record, its link in it. */
export function invite(server, email, role = "member") {
  return server.post("/api/v1/organizations/1/invitations", { email, role }, { expect: 201 });
}

/** Somebody with an account: invited, and registered with a password. Answers with the id and a session. */
export async function member(server, email, { role = "member", name } = {}) {
  const { invite_url: link } = await invite(server, email, role);
  const body = { email, password: passphrase, invitation_token: new URL(link).searchParams.get("token"), ...(name && { name }) };
  const { access_token: token, user } = await server.post("/auth/password/register", body, { token: null, expect: 201 });
  return { email, token, id: user.id, name: user.name };
}

/** The members of the organization, or one of them. */
export async function members(server, email) {
  const { members: all } = await server.request("/api/v1/organizations/1");
  return email === undefined ? all : all.find((each) => each.email === email);
}

/** What happened, the newest first: the actions, those with a beginning only. */
export async function audit(server, action = "") {
  return (await server.request(`/api/v1/organizations/1/audit?limit=100&action=${action}`)).entries;
}

/** Waits until the audit log has an entry. */
export const happened = (server, action, fits = () => true) =>
  until(`${action} in the audit log`, async () => (await audit(server, action)).find(fits));

/** Who is signed in in a browser; nobody is null. */
export async function signedInAs(server, context) {
  const cookies = await context.cookies(server.origin);
  const token = cookies.find(({ name }) => name === "mayday_session")?.value;
  if (token === undefined) return null;
  const { status, body } = await server.raw("/api/v1/me", { token });
  return status === 200 ? body.email : null;
}

/** Opens a page in `context`, or in a profile where nobody is signed in; `act` gets the page and the profile. */
export async function visit(server, path, act, { allow = [], ...more } = {}) {
  const opened = await openPage(server, path, { signedIn: false, allow: [401, ...allow], wait: false, ...more });
  try {
    await act(opened.page, opened.context, opened);
    opened.check();
  } catch (error) {
    await opened.report(error);
    throw error;
  } finally {
    await opened.close();
  }
}

/** Waits for the sign-in page with words about a failure; nobody is signed in. */
export async function refused(server, page, context, words) {
  await page.waitForURL(/\/login\?error=/);
  await alert(page, words).waitFor();
  assert.equal(await signedInAs(server, context), null, "nobody is signed in");
}

/** Waits until the app stands there, with somebody signed in. */
export async function arrived(server, page, context, email) {
  await page.waitForURL((url) => url.origin === server.origin && !/^\/(login|register|setup)/.test(url.pathname));
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  assert.equal(await signedInAs(server, context), email);
}
