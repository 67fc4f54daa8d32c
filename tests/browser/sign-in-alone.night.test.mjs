// An instance where passwords are switched off: it is claimed, used and left through the provider alone.

import assert from "node:assert/strict";
import { IdentityProvider, logIn } from "./oidc.mjs";
import { alert, arrived, button, happened, invite, members, pathOf, refused, signedInAs, startSite, visit } from "./people.mjs";
import { claimLink } from "./story.mjs";
import { after, before, test } from "./suite.mjs";
import { endSessionAtChange, newContext, openPage } from "./web.mjs";

let idp;
let server;
const chief = "ada@example.com";
const atProvider = (page) => page.waitForURL((url) => url.origin === idp.issuer);
const options = () => ({ others: [idp.issuer] });

before(async () => {
  idp = await IdentityProvider.start();
  server = await startSite({ claim: false, provider: idp, variables: { PASSWORD_AUTH_ENABLED: "false", SSO_JIT_POLICY: "existing_user" } });
  idp.person("ada", { email: chief, email_verified: true, name: "Ada" });
});
after(async () => {
  await server?.stop();
  await idp?.close();
});

/** Signs somebody in from the sign-in page on, which goes to the provider by itself: once, so it is not opened again. */
async function signIn(page, context, subject, email) {
  await logIn(page, subject);
  await arrived(server, page, context, email);
}

async function claim(page, subject) {
  await button(page, "Claim with Acme login").click();
  await logIn(page, subject);
}

test("before the claim nobody is signed in, and the sign-in page says what is missing", async () => {
  await visit(server, "/login", async (page) => {
    await page.getByRole("heading", { name: "Nobody has claimed this instance" }).waitFor();
    assert.equal(pathOf(page), "/login", "it does not go to the provider by itself");
  });
  await visit(
    server,
    "/auth/sso/start",
    async (page, context) => {
      await logIn(page, "ada");
      await page.waitForURL(/error=not_claimed/);
      assert.equal(await signedInAs(server, context), null);
    },
    options(),
  );
  const body = { setup_token: server.setupToken, email: chief, password: "a passphrase for tests", organization_name: "Acme" };
  await server.post("/auth/setup", body, { token: null, expect: 404 });
});

test("the setup token is carried through the provider, and a failure there loses nothing that was typed", async () => {
  const { path } = claimLink(server);
  idp.person("unproven", { email: chief, email_verified: "true" });
  const context = await newContext(server, { signedIn: false });
  const act = async (page) => {
    const organization = page.getByLabel("Organization", { exact: true });
    const token = page.getByLabel("Setup token");
    await organization.fill("Acme & Söhne");
    await token.fill("0000-0000-0000-0000-0000-0000-0000-0000");
    // Enter claims as the button does, and what is wrong gets the focus.
    await organization.press("Enter");
    await page.locator('[aria-invalid="true"]:focus').waitFor();
    assert.equal(await token.getAttribute("aria-invalid"), "true");
    assert.equal(pathOf(page), "/setup", "a wrong token does not leave the page");
    await token.fill(server.setupToken);
    await claim(page, "unproven");
    await page.waitForURL(/\/setup\?error=email_unverified/);
    await alert(page, "not verified").waitFor();
    assert.equal(await organization.inputValue(), "Acme & Söhne");
    assert.equal(await token.inputValue(), server.setupToken);
    await context.clearCookies({ domain: "127.0.0.1" });
    await claim(page, "ada");
    await arrived(server, page, context, chief);
    [{ value: server.token }] = (await context.cookies(server.origin)).filter(({ name }) => name === "mayday_session");
  };
  await visit(server, path, act, { context, allow: [403], ...options() });
  await context.close();
  const [{ name, role }] = await server.request("/api/v1/organizations");
  assert.deepEqual([name, role], ["Acme & Söhne", "owner"]);
  await happened(server, "instance.claimed");
  await visit(server, "/setup", (page) => page.getByRole("heading", { name: "This instance has been claimed" }).waitFor());
});

test("the token of a claim works once, whoever comes back with it", async () => {
  const body = { purpose: "claim", setup_token: server.setupToken, organization_name: "Second" };
  await server.post("/auth/sso/start", body, { token: null, expect: 404, headers: { Origin: server.origin } });
});

test("whatever has to do with passwords is not there", async () => {
  for (const path of ["login", "register", "change", "forgot", "reset"]) {
    const { detail } = await server.post(`/auth/password/${path}`, {}, { expect: 404, token: null });
    assert.equal(detail, "Email sign-in is not enabled.", path);
  }
  const { status } = await server.raw("/register", { token: null });
  assert.equal(status, 404, "the answer of the page");
  for (const path of ["/register", "/forgot-password"]) {
    await visit(server, path, (page) => page.getByText("Page not found").waitFor(), { allow: [404] });
  }
  const opened = await openPage(server, "/account");
  await opened.page.getByRole("button", { name: "Unlink Acme login" }).waitFor();
  assert.equal(await button(opened.page, "Change password").count(), 0);
  opened.check();
  await opened.close();
});

test("the sign-in page goes on to the provider by itself, and back to the page that was asked for", async () => {
  const context = await newContext(server, { signedIn: false });
  const act = async (page) => {
    await atProvider(page);
    await logIn(page, "ada");
    await page.waitForURL(`${server.origin}/account/sessions`);
    await arrived(server, page, context, chief);
  };
  await visit(server, "/account/sessions", act, { context, ...options() });
  await context.close();
});

test("it does not after signing out, nor with an error, and pressing the button does", async () => {
  const context = await newContext(server, { signedIn: false });
  const act = async (page) => {
    await signIn(page, context, "ada", chief);
    await page.getByRole("button", { name: /^You:/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const go = button(page, "Continue with Acme login");
    await go.waitFor();
    assert.equal(await signedInAs(server, context), null);
    await page.reload();
    await go.waitFor();
    assert.equal(new URL(page.url()).origin, server.origin, "not after a reload either");
    await page.goto(`${server.origin}/login?error=not_invited`);
    await alert(page, "You do not have an account here yet.").waitFor();
    await go.click();
    // The provider still knows them.
    await arrived(server, page, context, chief);
  };
  await visit(server, "/login", act, { context, ...options() });
  await context.close();
});

test("somebody whom the provider sends back is not sent round in circles", async () => {
  idp.person("stranger", { email: "stranger@example.com", email_verified: true });
  const act = async (page, context) => {
    await atProvider(page);
    await logIn(page, "stranger");
    await refused(server, page, context, "You do not have an account here yet.");
    const before = idp.requests(/^\/auth$/).length;
    await page.goto(`${server.origin}/login`);
    await button(page, "Continue with Acme login").waitFor();
    assert.equal(idp.requests(/^\/auth$/).length, before);
  };
  await visit(server, "/login", act, options());
});

test("an invitation is accepted through the provider", async () => {
  const { invite_url: link } = await invite(server, "grace@example.com", "admin");
  idp.person("grace", { email: "grace@example.com", email_verified: true, name: "Grace" });
  const { pathname, search } = new URL(link);
  const act = async (page, context) => {
    await page.getByRole("heading", { name: "Join Acme & Söhne" }).waitFor();
    assert.equal(await page.getByLabel("Password").count(), 0);
    await button(page, "Continue with Acme login").click();
    await logIn(page, "grace");
    await arrived(server, page, context, "grace@example.com");
  };
  // Nobody registers here, so the page itself is 404; whoever has a link is helped on all the same.
  await visit(server, pathname + search, act, { ...options(), allow: [404] });
  assert.equal((await members(server, "grace@example.com")).role, "admin");
});

test("a session that ended is renewed through the provider in a tab of its own, over the page", async () => {
  const context = await newContext(server, { signedIn: false });
  const act = async (page) => {
    await signIn(page, context, "ada", chief);
    await page.goto(`${server.origin}/account`);
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Ada the first");
    const [{ value: token }] = (await context.cookies(server.origin)).filter((cookie) => cookie.name === "mayday_session");
    await endSessionAtChange(page, server, token);
    await button(page, "Save").click();
    const dialog = page.getByRole("dialog", { name: "You have been signed out" });
    await dialog.waitFor();
    const [tab] = await Promise.all([context.waitForEvent("page"), dialog.getByRole("link", { name: "Continue with Acme login" }).click()]);
    await tab.waitForURL(`${server.origin}/account`);
    // What coming back to the tab does; without a screen every tab has the focus all the time.
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await dialog.waitFor({ state: "hidden" });
    assert.equal(await name.inputValue(), "Ada the first", "what was typed is still there");
    await button(page, "Save").click();
    await page.getByText("Saved", { exact: true }).waitFor();
  };
  await visit(server, "/login", act, { context, ...options() });
  await context.close();
});
