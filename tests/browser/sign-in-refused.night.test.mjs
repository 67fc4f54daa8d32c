// Sign-ins at a provider that must not succeed: what it says is not enough, it goes wrong, or somebody
// meddles. Each is told in words, and nobody is signed in.

import assert from "node:assert/strict";
import { IdentityProvider, logIn } from "./oidc.mjs";
import { alert, arrived, button, members, pathOf, refused, signedInAs, startSite, visit } from "./people.mjs";
import { owner, until } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { newContext } from "./web.mjs";

let idp;
let server;
const started = [];

/** A server that knows nothing of the provider yet. */
async function another(provider = idp, variables = {}) {
  const site = await startSite({ provider, variables: { SSO_JIT_POLICY: "create_member", ...variables } });
  started.push(site);
  return site;
}

before(async () => {
  idp = await IdentityProvider.start();
  server = await another();
});
after(async () => {
  for (const site of started) await site.stop();
  await idp?.close();
});

/** Begins a sign-in, and goes to the provider. */
const begin = (page, site = server) => page.goto(`${site.origin}/auth/sso/start?redirect_to=/account`);

/** Signs in at the provider as somebody; `act` gets the page after that. */
const through = (subject, act, { site = server, ...more } = {}) =>
  visit(
    site,
    "/auth/sso/start?redirect_to=/account",
    async (page, context, opened) => {
      await logIn(page, subject);
      await act(page, context, opened);
    },
    { others: [idp.issuer], ...more },
  );
const isRefused = (subject, words, options) => through(subject, (page, context) => refused(options?.site ?? server, page, context, words), options);
const getsIn = (subject, email, options) => through(subject, (page, context) => arrived(options?.site ?? server, page, context, email), options);

/** Logs in at the provider, and answers with where the browser would go back to. */
async function caught(page, subject) {
  idp.misbehave({ stops: true });
  try {
    await logIn(page, subject);
    await page.getByText("Stopped here.").waitFor();
    return idp.stoppedAt;
  } finally {
    idp.misbehave();
  }
}

const claims = [
  ["false", { email_verified: false }],
  ["the text true", { email_verified: "true" }],
  ["the number 1", { email_verified: 1 }],
  ["null", { email_verified: null }],
  ["absent", {}],
];
for (const [at, [what, claim]] of claims.entries()) {
  test(`an address whose email_verified is ${what} lets nobody in, neither a new person nor the owner`, async () => {
    for (const email of [`new-${at}@example.com`, owner.email]) {
      idp.person(`claims-${at}`, { email, ...claim });
      await isRefused(`claims-${at}`, "Your e-mail address is not verified at the provider.");
    }
    assert.equal(await members(server, `new-${at}@example.com`), undefined);
    assert.deepEqual((await server.request("/api/v1/me")).identities, []);
  });
}

test("who has no address at the provider is told so", async () => {
  idp.person("nameless", { email_verified: true });
  await isRefused("nameless", "The provider did not share your e-mail address.");
});

test("what is in the ID token counts where the provider has no user info", async () => {
  const site = await another();
  idp.misbehave({ userInfo: false });
  try {
    idp.person("tokenful", { email: "tokenful@example.com", email_verified: true });
    await getsIn("tokenful", "tokenful@example.com", { site });
    idp.person("tokenless", { email: "tokenless@example.com", email_verified: "true" });
    await isRefused("tokenless", "not verified", { site });
  } finally {
    idp.misbehave();
  }
});

test("a provider that calls itself otherwise is not gone to, in words, on both ways", async () => {
  const site = await another();
  idp.misbehave({ issuer: "https://login.other.example" });
  try {
    await visit(site, "/auth/sso/start", (page, context) => refused(site, page, context, "The provider's response could not be verified."));
    const press = async (page, context) => {
      await button(page, "Continue with Acme login").click();
      await alert(page, /could not be verified/).waitFor();
      assert.equal(await button(page, "Continue with Acme login").isEnabled(), true);
      assert.equal(await signedInAs(site, context), null);
    };
    await visit(site, "/login", press, { allow: [409] });
    idp.misbehave();
    idp.person("late", { email: "late@example.com", email_verified: true });
    // A failure is kept for some seconds.
    await until("the provider is asked again", async () => {
      const { headers } = await site.raw("/auth/sso/start", { token: null });
      return headers.get("Location").startsWith(idp.issuer) ? true : undefined;
    });
    await getsIn("late", "late@example.com", { site });
  } finally {
    idp.misbehave();
  }
});

test("a provider that does not answer is told in words", async () => {
  const gone = await IdentityProvider.start();
  const site = await another(gone);
  await gone.close();
  await visit(site, "/auth/sso/start", (page, context) => refused(site, page, context, "The sign-in provider did not respond."));
  const { body, status } = await site.raw("/health", { token: null });
  assert.deepEqual([status, body.status], [200, "ok"], "a provider's fault is none of the server's");
});

test("a new signing key is found by itself", async () => {
  const site = await another();
  idp.person("rota", { email: "rota@example.com", email_verified: true });
  await getsIn("rota", "rota@example.com", { site });
  const before = idp.requests(/jwks/).length;
  idp.rotateKeys();
  await getsIn("rota", "rota@example.com", { site });
  assert.equal(idp.requests(/jwks/).length, before + 1, "the keys were fetched once more");
  await getsIn("rota", "rota@example.com", { site });
  assert.equal(idp.requests(/jwks/).length, before + 1, "and kept");
});

test("an ID token that has expired is refused", async () => {
  idp.person("old", { email: "old@example.com", email_verified: true });
  idp.misbehave({ lifetime: -3600 });
  try {
    await isRefused("old", "The provider's response could not be verified.");
  } finally {
    idp.misbehave();
  }
  await getsIn("old", "old@example.com");
});

test("user info of somebody else is refused", async () => {
  idp.person("mallory", { email: owner.email, email_verified: true });
  idp.misbehave({ userInfoSubject: "ada" });
  try {
    await isRefused("mallory", "The provider's response could not be verified.");
  } finally {
    idp.misbehave();
  }
});

test("who says no at the provider comes back to words, and can start again", async () => {
  idp.person("shy", { email: "shy@example.com", email_verified: true });
  const start = async (page, context) => {
    await begin(page);
    await button(page, "Cancel").click();
    await refused(server, page, context, "The sign-in was cancelled at the provider.");
    await button(page, "Continue with Acme login").click();
    await logIn(page, "shy");
    await arrived(server, page, context, "shy@example.com");
  };
  await visit(server, "/login", start, { others: [idp.issuer] });
});

test("what was begun in one browser cannot be finished in another, whether that has begun something or not", async () => {
  idp.person("victor", { email: "victor@example.com", email_verified: true });
  const mine = await newContext(server, { signedIn: false });
  try {
    const page = await mine.newPage();
    await begin(page);
    const address = await caught(page, "victor");
    const lured = async (other, context) => {
      await refused(server, other, context, "The sign-in was started in another browser.");
      await begin(other);
      await other.goto(address);
      await refused(server, other, context, "The sign-in was started in another browser.");
    };
    await visit(server, address.slice(server.origin.length), lured, { others: [idp.issuer] });
    await page.goto(address);
    await arrived(server, page, mine, "victor@example.com");
  } finally {
    await mine.close();
  }
});

test("an answer of the provider works once", async () => {
  idp.person("walt", { email: "walt@example.com", email_verified: true });
  const mine = await newContext(server, { signedIn: false });
  try {
    const page = await mine.newPage();
    await begin(page);
    const flow = await mine.cookies(server.origin);
    const address = await caught(page, "walt");
    await page.goto(address);
    await arrived(server, page, mine, "walt@example.com");
    const again = async (other, context) => {
      await refused(server, other, context, "The sign-in was started in another browser.");
      // Even with the cookie of the browser that began it.
      await context.addCookies(flow);
      await other.goto(address);
      await refused(server, other, context, "The sign-in took too long.");
    };
    await visit(server, address.slice(server.origin.length), again);
  } finally {
    await mine.close();
  }
});

test("a return that nobody began, or that is cut or made up, is refused in words", async () => {
  for (const query of ["", "?code=abc", "?state=abc", "?error=access_denied", `?code=${"a".repeat(5000)}&state=b`, "?state=%00&code=%ff"]) {
    await visit(server, `/api/v1/auth/callback${query}`, (page, context) => refused(server, page, context, /\w/), { allow: [400] });
  }
});

test("after the sign-in a page of another site is never gone to", async () => {
  idp.person("yves", { email: "yves@example.com", email_verified: true });
  for (const wanted of ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/\t/evil.example"]) {
    const context = await newContext(server, { signedIn: false });
    const go = async (page) => {
      await logIn(page, "yves");
      await arrived(server, page, context, "yves@example.com");
      assert.match(pathOf(page), /^\/(projects\/new)?$/);
    };
    await visit(server, `/auth/sso/start?redirect_to=${encodeURIComponent(wanted)}`, go, { context, others: [idp.issuer] });
    await context.close();
  }
});
