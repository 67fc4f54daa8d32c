// What people write of themselves, and what a provider says of them, stays text on every page.

import assert from "node:assert/strict";
import { IdentityProvider, logIn } from "./oidc.mjs";
import { arrived, invite, member, settings, startSite, visit } from "./people.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, onPage } from "./web.mjs";

const markup = "<img src=x onerror=window.hurt=1><script>window.hurt=1</script>";
const turned = "user\u202egpj.exe\u2066\u200b{{7*7}}${7*7}";
const long = "W".repeat(128);

let idp;
let server;

const patch = (path, token, body) => server.post(path, body, { method: "PATCH", token, headers: { Origin: server.origin } });

before(async () => {
  idp = await IdentityProvider.start();
  server = await startSite({ provider: idp, variables: { SSO_JIT_POLICY: "create_member", SSO_DISPLAY_NAME: "<b>Acme</b> & \"login\"" } });
  for (const [at, name] of [markup, turned, long].entries()) {
    const { token } = await member(server, `person${at}@example.com`);
    await patch("/api/v1/me", token, { name });
  }
  await member(server, `${"very-long-".repeat(6)}@${"sub-domain.".repeat(15)}example.com`);
  await invite(server, `"><svg/onload=hurt=1>@example.com`).catch(() => undefined);
  await invite(server, `a'onmouseover='hurt=1@example.com`).catch(() => undefined);
  await server.post("/api/v1/organizations/1/api-keys", { name: markup }, { expect: 201 });
  await server.post("/api/v1/me/tokens", { name: markup }, { expect: 201, headers: { Origin: server.origin } });
  await patch("/api/v1/organizations/1", undefined, { name: `${markup.slice(0, 60)} ${turned}` });
  await server.post("/auth/password/login", { email: markup, password: "x" }, { token: null, expect: [401, 422] });
  await server.post("/auth/password/login", { email: "ada@example.com", password: "wrong" }, { token: null, expect: 401, headers: { "User-Agent": markup, "X-Forwarded-For": markup } });
});
after(async () => {
  await server?.stop();
  await idp?.close();
});

/** Nothing of it became more than text. */
async function isText(page) {
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  assert.equal(await page.locator("img[src=x], main script, main b, svg[onload]").count(), 0);
  assert.doesNotMatch(await page.locator("body").innerText(), /[\u202e\u2066\u200b]/, "what turns text around is made visible or left out");
}

for (const [path, shown] of [
  [settings("members"), "<img src=x"],
  [settings("keys"), "<img src=x"],
  [settings("audit"), "<img src=x"],
  ["/organizations/1/settings", "<img src=x"],
  ["/account/tokens", "<img src=x"],
  ["/account/sessions", "signed in"],
  ["/account", "Linked accounts"],
]) {
  test(`${path} shows what people write as text`, async () => {
    for (const width of [1440, 390]) {
      await onPage(server, path, { width }, async (page) => {
        await page.getByText(shown).or(page.locator(`input[value*="<img"]`)).filter({ visible: true }).first().waitFor();
        await isText(page);
      });
    }
  });
}

test("a provider's name is text on its button", async () => {
  await visit(server, "/login", async (page) => {
    await page.getByRole("button", { name: `Continue with <b>Acme</b> & "login"`, exact: true }).waitFor();
    await isText(page);
  });
});

test("what a provider says of somebody is text, and what cannot be a name is none", async () => {
  idp.person("hostile", { email: "hostile@example.com", email_verified: true, name: markup });
  idp.person("odd", { email: "odd@example.com", email_verified: true, name: { first: "x" } });
  idp.person("wide", { email: "wide@example.com", email_verified: true, name: "x".repeat(5000) });
  for (const subject of ["hostile", "odd", "wide"]) {
    await visit(
      server,
      "/auth/sso/start?redirect_to=/account",
      async (page, context) => {
        await logIn(page, subject);
        await arrived(server, page, context, `${subject}@example.com`);
        await isText(page);
      },
      { others: [idp.issuer] },
    );
  }
  await onPage(server, settings("members"), {}, (page) => isText(page));
});

test("an error in the address is told in words that are ours, whatever it is", async () => {
  for (const code of ["<img src=x onerror=hurt=1>", "constructor", "__proto__", "x".repeat(5000), "javascript:alert(1)", "%00"]) {
    for (const path of ["/login", "/account"]) {
      const act = async (page) => {
        await page.getByRole("alert").filter({ hasText: "The sign-in failed" }).waitFor();
        await isText(page);
      };
      const address = `${path}?error=${encodeURIComponent(code)}`;
      if (path === "/login") await visit(server, address, act);
      else await onPage(server, address, {}, act);
    }
  }
});

test("the names on the pages of invitations and links are text as well", async () => {
  const { invite_url: link } = await invite(server, "guest@example.com");
  const { pathname, search } = new URL(link);
  await visit(server, pathname + search, async (page) => {
    await page.getByRole("heading", { name: /^Join / }).waitFor();
    await eventually(async () => (await page.getByText("guest@example.com").count()) > 0, true);
    await isText(page);
  });
});
