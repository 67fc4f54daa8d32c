// The page where an administrator sees how people sign in, checks the provider, and tries it out.

import assert from "node:assert/strict";
import { CodeHost, authorize } from "./code-host.mjs";
import { IdentityProvider, logIn } from "./oidc.mjs";
import { alert, button, happened, member, members, settings, signedInAs, startSite } from "./people.mjs";
import { owner } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { newContext, onPage, openPage } from "./web.mjs";

let idp;
let host;
let server;
const path = settings("sign-in");
const ssoPart = (page) => page.locator("section").filter({ has: page.getByRole("heading", { name: /^Single sign-on/ }) });

before(async () => {
  idp = await IdentityProvider.start();
  host = await CodeHost.start();
  server = await startSite({ provider: idp, variables: { SSO_JIT_POLICY: "create_member", SSO_ALLOWED_DOMAINS: "example.com", ...host.variables() } });
});
after(async () => {
  await server?.stop();
  await idp?.close();
  await host?.close();
});

/** Steps of the report that is shown: name, state, and what is said. */
async function stepsOf(place) {
  const steps = place.locator("li[data-state]");
  await steps.first().waitFor();
  return steps.evaluateAll((items) => items.map((item) => ({ state: item.dataset.state, text: item.innerText.replace(/\s+/g, " ") })));
}

/** Makes a test sign-in as the owner; `act` does the provider's part. */
async function tried(provider, act, then) {
  const context = await newContext(server);
  const opened = await openPage(server, path, { context, others: [idp.issuer, host.origin] });
  try {
    const part = provider === "sso" ? ssoPart(opened.page) : opened.page.locator("section").filter({ has: opened.page.getByRole("heading", { name: /GitHub/ }) });
    await part.getByRole("button", { name: "Test sign-in" }).click();
    await act(opened.page);
    await opened.page.waitForURL(/\/settings\/sign-in\?test=/);
    await opened.page.getByRole("heading", { name: "Your test sign-in" }).waitFor();
    await then(await stepsOf(opened.page.getByRole("region", { name: "Your test sign-in" })), opened.page);
    assert.equal(await signedInAs(server, context), owner.email, "who tests stays signed in");
    opened.check();
  } catch (error) {
    await opened.report(error);
    throw error;
  } finally {
    await context.close();
  }
}

test("the settings are shown as they are, without a secret", async () => {
  const opened = await openPage(server, path);
  const text = await ssoPart(opened.page).innerText();
  for (const shown of [idp.issuer, `${server.origin}/api/v1/auth/callback`, "create_member", "example.com", "Acme login"]) assert.ok(text.includes(shown), shown);
  assert.doesNotMatch(await opened.page.content(), /a-secret-of/);
  assert.doesNotMatch(JSON.stringify(await server.request("/api/v1/organizations/1/sign-in")), /secret-of/);
  opened.check();
  await opened.close();
});

test("a check of a good provider shows each step", async () => {
  await onPage(server, path, {}, async (page) => {
    await ssoPart(page).getByRole("button", { name: "Check" }).click();
    const steps = await stepsOf(ssoPart(page));
    assert.deepEqual(steps.map(({ state }) => state), ["ok", "ok", "ok", "ok", "ok"]);
    assert.match(steps[1].text, /Discovery document.*openid-configuration/);
    assert.match(steps[3].text, /Signing keys.*1 key, for RS256/);
    await ssoPart(page).getByText("The provider responds as expected.").waitFor();
  });
});

test("a check shows what is wrong with a provider, and what was not reached after that", async () => {
  idp.misbehave({ issuer: "https://login.other.example" });
  try {
    await onPage(server, path, {}, async (page) => {
      await ssoPart(page).getByRole("button", { name: "Check" }).click();
      const steps = await stepsOf(ssoPart(page));
      assert.deepEqual(steps.map(({ state }) => state), ["ok", "failed", "unreached", "unreached", "unreached"]);
      assert.match(steps[1].text, /its issuer is https:\/\/login\.other\.example, expected exactly/);
      await ssoPart(page).getByText("The check failed.").waitFor();
    });
  } finally {
    idp.misbehave();
  }
});

test("a check of a provider that is gone says that it does not accept the connection", async () => {
  const gone = await IdentityProvider.start();
  const site = await startSite({ provider: gone });
  try {
    await gone.close();
    await onPage(site, path, { allow: [409] }, async (page) => {
      await ssoPart(page).getByRole("button", { name: "Check" }).click();
      const steps = await stepsOf(ssoPart(page));
      assert.equal(steps[1].state, "failed");
      assert.match(steps[1].text, /does not accept the connection/);
      await ssoPart(page).getByRole("button", { name: "Test sign-in" }).click();
      await alert(page, /\w/).waitFor();
    });
  } finally {
    await site.stop();
  }
});

test("a provider at a private address is not asked where that is not allowed, and the check says so", async () => {
  const site = await startSite({ provider: idp, variables: { SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS: "false" } });
  try {
    const before = idp.requests().length;
    await onPage(site, path, {}, async (page) => {
      await ssoPart(page).getByRole("button", { name: "Check" }).click();
      assert.equal((await stepsOf(ssoPart(page)))[0].state, "failed");
    });
    assert.equal(idp.requests().length, before, "nothing was asked");
  } finally {
    await site.stop();
  }
});

test("a test sign-in shows each step of a good one, and links and makes nobody", async () => {
  idp.person("newcomer", { email: "newcomer@example.com", email_verified: true });
  await tried("sso", (page) => logIn(page, "newcomer"), async (steps, page) => {
    assert.deepEqual(steps.map(({ state }) => state), Array(7).fill("ok"));
    assert.match(steps[5].text, /newcomer@example\.com, verified, from the user info/);
    assert.match(steps[6].text, /An account for newcomer@example\.com would be created with the role member/);
    await page.getByText("It works: people can sign in this way.").waitFor();
    await button(page, "Close").click();
    await page.waitForURL((url) => url.search === "");
  });
  assert.equal((await members(server)).length, 1);
  assert.deepEqual((await server.request("/api/v1/me")).identities, []);
  assert.deepEqual((await happened(server, "sign_in.tested")).detail, { ok: true });
});

test("a test sign-in shows why somebody would not get in", async () => {
  idp.person("textual", { email: "textual@example.com", email_verified: "true" });
  await tried("sso", (page) => logIn(page, "textual"), async (steps, page) => {
    const failed = steps.filter(({ state }) => state === "failed").map(({ text }) => text);
    assert.match(failed[0], /email_verified in the user info is "true", expected the boolean true/);
    assert.match(failed[1], /does not say that the e-mail is verified/);
    await page.getByText("It does not work yet.").waitFor();
  });
});

test("a test sign-in that was cancelled says so", async () => {
  await tried("sso", (page) => button(page, "Cancel").click(), async (steps) => {
    assert.match(steps.find(({ state }) => state === "failed").text, /access_denied/);
  });
});

test("a test sign-in at the code host shows its steps", async () => {
  host.person("octo", { id: 42, emails: [{ email: "octo@example.com", primary: true, verified: true }] });
  await tried("github", (page) => authorize(page, "octo"), async (steps) => {
    assert.deepEqual(steps.slice(0, 4).map(({ state }) => state), ["ok", "ok", "ok", "ok"]);
    assert.match(steps[2].text, /42/);
    assert.match(steps[4].text, /no invitation/);
  });
});

test("the report of a test is for who made it, and one that is gone is said to be", async () => {
  const admin = await member(server, "second@example.com", { role: "admin" });
  await server.request("/api/v1/organizations/1/sign-in/tests/1", { token: admin.token, expect: 404 });
  const opened = await openPage(server, `${path}?test=1`, { token: admin.token, allow: [404] });
  await opened.page.getByText("The report of this test has expired.").waitFor();
  opened.check();
  await opened.close();
});

test("members do not see how people sign in, and cannot check or test it", async () => {
  const { token } = await member(server, "third@example.com");
  const opened = await openPage(server, path, { token });
  await opened.page.getByRole("note").waitFor();
  assert.equal(await button(opened.page, "Check").count(), 0);
  opened.check();
  await opened.close();
  const headers = { Origin: server.origin };
  await server.post("/api/v1/organizations/1/sign-in/check", { provider: "sso" }, { token, headers, expect: 403 });
  await server.post("/auth/sso/start", { purpose: "test" }, { token, headers, expect: 403 });
});
