// Signing in through an OpenID Connect provider: who gets in, as whom, and with what role.

import assert from "node:assert/strict";
import { getsInThroughProvider, IdentityProvider, proven, throughProvider } from "./oidc.mjs";
import { arrived, audit, happened, invite, member, members, refused, startSite } from "./people.mjs";
import { owner } from "./server.mjs";
import { after, before, test } from "./suite.mjs";

let idp;
/** Servers by how new people are taken. */
const sites = {};

before(async () => {
  idp = await IdentityProvider.start();
  const start = async (name, variables) => (sites[name] = await startSite({ provider: idp, variables }));
  await start("open", { SSO_JIT_POLICY: "create_member", ADMIN_EMAILS: "chief@example.com" });
  await start("existing", { SSO_JIT_POLICY: "existing_user" });
  await start("closed", { SSO_JIT_POLICY: "disabled" });
  await start("corporate", { SSO_JIT_POLICY: "create_member", SSO_ALLOWED_DOMAINS: "corp.example", SSO_DEFAULT_ROLE: "admin" });
});
after(async () => {
  for (const site of Object.values(sites)) await site.stop();
  await idp?.close();
});

const through = (...visitor) => throughProvider(idp, ...visitor);
const getsIn = (...visitor) => getsInThroughProvider(idp, ...visitor);
const isRefused = (server, subject, words) => through(server, subject, (page, context) => refused(server, page, context, words));

test("somebody stays who they are when their address changes at the provider", async () => {
  const server = sites.open;
  idp.person("erin", proven("erin@example.com"));
  await getsIn(server, "erin", "erin@example.com");
  const { id } = await members(server, "erin@example.com");
  idp.person("erin", proven("erin.new@example.com"));
  await getsIn(server, "erin", "erin@example.com");
  assert.equal((await members(server, "erin@example.com")).id, id);
  assert.equal(await members(server, "erin.new@example.com"), undefined, "no second account");
  idp.person("erin", { email: "erin@example.com", email_verified: false });
  await getsIn(server, "erin", "erin@example.com");
});

test("an address that somebody had before them gives nobody their account", async () => {
  const server = sites.open;
  idp.person("frank", proven("frank@example.com"));
  await getsIn(server, "frank", "frank@example.com");
  idp.person("frank-the-second", proven("frank@example.com"));
  await isRefused(server, "frank-the-second", "That account is linked to somebody else.");
});

test("ADMIN_EMAILS makes an admin of the proven owner of an address, and of nobody whose provider moves them onto it", async () => {
  const server = sites.open;
  idp.person("gus", proven("gus@example.com"));
  await getsIn(server, "gus", "gus@example.com");
  idp.person("gus", proven("chief@example.com"));
  await getsIn(server, "gus", "gus@example.com");
  assert.equal((await members(server, "gus@example.com")).role, "member");
  idp.person("pretender", { email: "chief@example.com", email_verified: false });
  await isRefused(server, "pretender", "not verified");
  idp.person("chief", proven("chief@example.com"));
  await getsIn(server, "chief", "chief@example.com");
  assert.equal((await members(server, "chief@example.com")).role, "admin");
});

test("where only existing people are linked, the owner is linked by a verified address and strangers are not let in", async () => {
  const server = sites.existing;
  idp.person("ada", proven(owner.email, { name: "Somebody else's name" }));
  await getsIn(server, "ada", owner.email);
  const mine = await server.request("/api/v1/me");
  assert.deepEqual(mine.identities.map(({ provider, issuer, email }) => ({ provider, issuer, email })), [{ provider: "sso", issuer: idp.issuer, email: owner.email }]);
  assert.equal(mine.has_password, true, "the password stays");
  assert.equal(mine.name, owner.name, "the name stays");
  idp.person("stranger", proven("stranger@example.com"));
  await isRefused(server, "stranger", "You do not have an account here yet.");
  assert.equal((await members(server)).length, 1);
  assert.equal((await happened(server, "sign_in.failed")).detail.reason, "not_invited");
});

test("where nobody is linked by an address, the owner is told so, and who is invited gets in with the role of the invitation", async () => {
  const server = sites.closed;
  idp.person("ada-closed", proven(owner.email));
  await isRefused(server, "ada-closed", "You do not have an account here yet.");
  await invite(server, "hal@example.com", "admin");
  idp.person("hal", proven("hal@example.com"));
  await getsIn(server, "hal", "hal@example.com");
  assert.equal((await members(server, "hal@example.com")).role, "admin");
  assert.deepEqual((await server.request("/api/v1/organizations/1/invitations?status=accepted")).total, 1);
});

test("an invitation is accepted at the provider from its own link, and an unverified address does not use it up", async () => {
  const server = sites.closed;
  const { invite_url: link } = await invite(server, "iris@example.com");
  const { pathname, search } = new URL(link);
  idp.person("iris", { email: "iris@example.com", email_verified: false });
  await through(server, "iris", (page, context) => refused(server, page, context, "not verified"), pathname + search);
  idp.person("iris", proven("iris@example.com"));
  await through(server, "iris", (page, context) => arrived(server, page, context, "iris@example.com"), pathname + search);
  assert.equal((await members(server, "iris@example.com")).role, "member");
});

test("only the allowed domains come in, exactly, and with the configured role", async () => {
  const server = sites.corporate;
  for (const [subject, email] of [["evil", "eve@evilcorp.example"], ["sub", "eve@sub.corp.example"], ["two", "eve@corp.example.evil.example"]]) {
    idp.person(subject, proven(email));
    await isRefused(server, subject, "Your e-mail domain is not allowed here.");
  }
  idp.person("jan", proven("jan@corp.example"));
  await getsIn(server, "jan", "jan@corp.example");
  assert.equal((await members(server, "jan@corp.example")).role, "admin");
});

test("who was removed stays out, in words, until they are invited again", async () => {
  const server = sites.open;
  idp.person("kim", proven("kim@example.com"));
  await getsIn(server, "kim", "kim@example.com");
  const { id } = await members(server, "kim@example.com");
  await server.request(`/api/v1/organizations/1/members/${id}`, { method: "DELETE", expect: 204 });
  await isRefused(server, "kim", "Your account was removed from the organization.");
  await invite(server, "kim@example.com");
  await getsIn(server, "kim", "kim@example.com");
});

test("who is disabled is out at once and stays out, by password as well, until they are enabled", async () => {
  const server = sites.open;
  const lea = await member(server, "lea@example.com");
  idp.person("lea", proven("lea@example.com"));
  await getsIn(server, "lea", "lea@example.com");
  const set = (status) => server.post(`/api/v1/organizations/1/members/${lea.id}`, { status }, { method: "PATCH" });
  await set("disabled");
  assert.equal((await server.raw("/api/v1/me", { token: lea.token })).status, 401, "the session has ended");
  await isRefused(server, "lea", "Your account is disabled.");
  await set("active");
  await getsIn(server, "lea", "lea@example.com");
});

test("what came of it all is in the audit log, without anything secret", async () => {
  const entries = await audit(sites.open);
  const actions = new Set(entries.map(({ action }) => action));
  for (const action of ["sign_in.succeeded", "sign_in.failed", "identity.linked", "member.joined"]) assert.ok(actions.has(action), action);
  assert.doesNotMatch(JSON.stringify(entries), /eyJ|code=|state=/);
});
