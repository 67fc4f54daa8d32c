// Signing in through an OpenID Connect provider, as most people do.

import assert from "node:assert/strict";
import { getsInThroughProvider, IdentityProvider, proven, throughProvider } from "./oidc.mjs";
import { button, happened, members, startSite } from "./people.mjs";
import { after, before, test } from "./suite.mjs";

let idp;
let server;

before(async () => {
  idp = await IdentityProvider.start();
  server = await startSite({ provider: idp, variables: { SSO_JIT_POLICY: "create_member" } });
});
after(async () => {
  await server?.stop();
  await idp?.close();
});

test("who is new becomes a member where the provider decides, and finds the provider among the linked accounts", async () => {
  idp.person("bob", proven("Bob@Example.com", { name: "Bob" }));
  await getsInThroughProvider(idp, server, "bob", "bob@example.com", async (page, context) => {
    const [cookie] = (await context.cookies(server.origin)).filter(({ name }) => name === "mayday_session");
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, "Lax", "/"]);
    assert.deepEqual((await context.cookies(server.origin)).filter(({ name }) => name === "mayday_flow"), [], "the cookie of the flow is gone");
    await page.goto(`${server.origin}/account`);
    await page.getByRole("button", { name: "Unlink Acme login" }).waitFor();
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Bob");
    assert.equal(await button(page, "Unlink Acme login").isDisabled(), true, "it is the only way in");
  });
  const { role, status, name } = await members(server, "bob@example.com");
  assert.deepEqual({ role, status, name }, { role: "member", status: "active", name: "Bob" });
  const joined = await happened(server, "member.joined", ({ target }) => target === "bob@example.com");
  assert.deepEqual(joined.detail, { how: "sso", role: "member" });
});

test("after the sign-in the page comes that was asked for", async () => {
  const project = await server.project("Shop");
  idp.person("dora", proven("dora@example.com"));
  const wanted = `/projects/${project.id}/issues?query=is%3Aresolved`;
  await throughProvider(
    idp,
    server,
    "dora",
    async (page) => {
      await page.waitForURL(server.origin + wanted);
      await page.getByRole("navigation", { name: "Main" }).waitFor();
    },
    wanted,
  );
});
