// The people of an organization: inviting, changing, disabling and removing them, its keys, and the log
// of it all.

import assert from "node:assert/strict";
import { arrived, button, invite, member, members, passphrase, settings, signedInAs, startSite, visit } from "./people.mjs";
import { owner } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, newContext, onPage, openPage, picture } from "./web.mjs";

let server;
const path = settings("members");
const row = (page, text) => page.getByRole("table", { name: "Members" }).getByRole("row").filter({ hasText: text });
const pending = (page) => page.getByRole("table", { name: "Pending invitations" }).getByRole("row");
const status = async (token) => (await server.raw("/api/v1/me", { token })).status;

async function choose(page, name, item) {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

before(async () => {
  server = await startSite({ variables: { ADMIN_EMAILS: "listed@example.com" } });
});
after(() => server?.stop());

test("several people are invited at once, as they are pasted, and each has a result of its own", async () => {
  await invite(server, "known@example.com");
  await onPage(server, path, { allow: [409] }, async (page) => {
    const field = page.getByLabel("E-mail addresses to invite");
    await field.fill("not-an-address");
    await button(page, "Invite").click();
    await page.getByText("“not-an-address” is not an e-mail address.").waitFor();
    await field.fill("Bob <bob@example.com>; carol@example.com\nknown@example.com, BOB@example.com ada@example.com");
    await page.getByRole("combobox", { name: "Invite as" }).click();
    await page.getByRole("option", { name: "as admins" }).click();
    await button(page, "Invite").click();
    const outcomes = page.locator("ul[aria-live] li");
    await eventually(() => outcomes.count(), 4);
    await outcomes.filter({ hasText: "known@example.com" }).filter({ hasText: /already/i }).waitFor();
    await outcomes.filter({ hasText: "ada@example.com" }).filter({ hasText: /already/i }).waitFor();
    await eventually(async () => (await pending(page).filter({ hasText: "@" }).count()), 3);
    assert.deepEqual((await field.inputValue()).split("\n").sort(), ["ada@example.com", "known@example.com"], "who was not invited stays in the field");
    for (const email of ["bob@example.com", "carol@example.com"]) await pending(page).filter({ hasText: email }).filter({ hasText: "admin" }).waitFor();
  });
});

test("an invitation that is withdrawn leaves the list, and its link is dead", async () => {
  const { invite_url: link } = await invite(server, "dan@example.com");
  await onPage(server, path, {}, async (page) => {
    await button(page, "Revoke invitation for dan@example.com").click();
    await button(page.getByRole("dialog"), "Revoke invitation").click();
    await pending(page).filter({ hasText: "dan@example.com" }).waitFor({ state: "hidden" });
  });
  const { pathname, search } = new URL(link);
  await visit(server, pathname + search, (page) => page.getByRole("heading", { name: "This invitation is no longer valid" }).waitFor(), { allow: [403] });
});

test("a role is changed, and what somebody may do changes at once without their signing in again", async () => {
  const erin = await member(server, "erin@example.com", { name: "Erin" });
  await onPage(server, path, {}, async (page) => {
    await button(page, "Role of Erin: member").click();
    await page.getByRole("menuitemradio", { name: /^admin/ }).click();
    await page.getByText("Erin is now an admin").waitFor();
    await button(page, "Role of Erin: admin").waitFor();
  });
  assert.equal((await members(server, erin.email)).role, "admin");
  const login = await server.post("/auth/password/login", { email: erin.email, password: passphrase }, { token: null });
  await server.request("/api/v1/organizations/1/invitations", { token: login.access_token });
});

test("who is disabled is out at once and told so at the sign-in, and comes back with the role of before", async () => {
  const frank = await member(server, "frank@example.com", { name: "Frank", role: "admin" });
  await onPage(server, path, {}, async (page) => {
    await choose(page, "Frank", "Disable…");
    await button(page.getByRole("dialog"), "Disable member").click();
    await row(page, "Frank").getByText("disabled").waitFor();
    assert.equal(await status(frank.token), 401);
    await visit(
      server,
      "/login",
      async (other, context) => {
        await other.getByLabel("E-mail").fill(frank.email);
        await other.getByLabel("Password", { exact: true }).fill(passphrase);
        await button(other, "Sign in").click();
        await other.getByRole("alert").filter({ hasText: "This account is no longer active. Ask an administrator." }).waitFor();
        assert.equal(await signedInAs(server, context), null);
      },
      { allow: [403] },
    );
    await choose(page, "Frank", "Enable…");
    await button(page.getByRole("dialog"), "Enable member").click();
    await row(page, "Frank").getByText("disabled").waitFor({ state: "hidden" });
  });
  assert.equal((await members(server, frank.email)).role, "admin");
  await server.post("/auth/password/login", { email: frank.email, password: passphrase }, { token: null });
});

test("who is removed is out at once, in a tab that is open as well, and comes back by an invitation with their password", async () => {
  const gus = await member(server, "gus@example.com", { name: "Gus" });
  await server.project("Shop");
  const theirs = await openPage(server, "/account", { token: gus.token, allow: [401] });
  await onPage(server, path, {}, async (page) => {
    await choose(page, "Gus", "Remove…");
    await button(page.getByRole("dialog"), "Remove member").click();
    await row(page, "Gus").waitFor({ state: "hidden" });
  });
  assert.equal(await status(gus.token), 401);
  // Nobody has to click: the page's stream has ended.
  await theirs.page.getByRole("dialog", { name: "You have been signed out" }).waitFor();
  await theirs.close();
  await server.post("/auth/password/login", { email: gus.email, password: passphrase }, { token: null, expect: 403 });

  const { invite_url: link } = await invite(server, gus.email);
  const { pathname, search } = new URL(link);
  await visit(server, pathname + search, async (page, context) => {
    await page.getByText("You already have an account here. Enter its password to join.").waitFor();
    await page.getByLabel("Your password", { exact: true }).fill(passphrase);
    await button(page, "Join").click();
    await arrived(server, page, context, gus.email);
  });
});

test("an admin who is listed by the server cannot be made less, and is marked", async () => {
  await member(server, "listed@example.com", { name: "Listed" });
  assert.equal((await members(server, "listed@example.com")).role, "admin");
  await onPage(server, path, {}, async (page) => {
    await row(page, "Listed").getByText("listed", { exact: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^Role of Listed/ }).count(), 0);
  });
});

test("a member sees who belongs here and can change nothing", async () => {
  const { token } = await member(server, "hal@example.com", { name: "Hal" });
  await onPage(server, path, { token }, async (page) => {
    await row(page, "Ada").waitFor();
    await page.getByRole("note").filter({ hasText: "You are a member" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^Role of|Invite|Revoke/ }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "Actions for Ada" }).count(), 0);
    assert.equal(await page.getByLabel("E-mail addresses to invite").count(), 0);
  });
  for (const section of ["keys", "sign-in", "audit"]) {
    await onPage(server, settings(section), { token }, (page) => page.getByRole("note").filter({ hasText: "You are a member" }).waitFor());
  }
  for (const what of ["invitations", "api-keys", "audit", "sign-in"]) await server.request(`/api/v1/organizations/1/${what}`, { token, expect: 403 });
});

test("a key of the organization is shown once, reads every project, and is refused once it is revoked", async () => {
  const project = await server.project("Second shop");
  let key;
  const read = async () => (await server.raw(`/api/v1/projects/${project.id}/issues`, { token: key })).status;
  await onPage(server, settings("keys"), {}, async (page) => {
    await button(page, "New key…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("wall display");
    await button(dialog, "Create key").click();
    key = (await dialog.getByRole("group", { name: "New key" }).textContent()).trim();
    await dialog.getByText("I have stored it in a safe place").click();
    await button(dialog, "Done").click();
    await page.getByRole("row").filter({ hasText: "wall display" }).waitFor();
    assert.ok(!(await page.content()).includes(key));
    assert.equal(await read(), 200);
    assert.ok([401, 403].includes((await server.raw("/api/v1/organizations/1/api-keys", { token: key })).status), "a key manages no keys");
    await button(page, "Revoke wall display").click();
    await dialog.getByRole("textbox").fill("wall display");
    await button(dialog, "Revoke key").click();
    await page.getByText("1 revoked key").waitFor();
  });
  assert.equal(await read(), 401);
});

test("the organization is handed over, and who had it stays as an admin", async () => {
  const ida = await member(server, "ida@example.com", { name: "Ida" });
  const handOver = async (token, label, email, { proven }) => {
    const context = await newContext(server, { token });
    await onPage(server, "/organizations/1/settings", { context }, async (page) => {
      await page.getByLabel("New owner").first().click();
      await page.getByRole("option", { name: label }).click();
      await button(page, "Transfer…").click();
      const dialog = page.getByRole("dialog");
      assert.equal(await dialog.getByText(/have not confirmed/).count(), proven ? 0 : 1);
      await dialog.getByRole("textbox").fill(email);
      await button(dialog, "Transfer ownership").click();
      await page.getByText(`${label} now owns the organization`).waitFor();
      if (!proven) {
        const shown = page.getByRole("dialog", { name: "Link for the new owner" });
        link = (await shown.getByRole("group", { name: "Password link" }).textContent()).trim();
        await picture(page, "hand-over-link");
        await button(shown, "Done").click();
      }
      await eventually(() => page.getByRole("heading", { name: "Transfer ownership" }).count(), 0);
    });
    assert.equal(await status(token), 401, "the session of before");
    const session = (await context.cookies(server.origin)).find(({ name }) => name === "mayday_session").value;
    await context.close();
    return session;
  };
  let link;
  server.token = await handOver(server.token, "Ida", ida.email, { proven: false });
  assert.deepEqual([(await members(server, ida.email)).role, (await members(server, owner.email)).role], ["owner", "admin"]);
  // Whoever invited her may have known it.
  await server.post("/auth/password/login", { email: ida.email, password: passphrase }, { token: null, expect: 401 });
  const password = "a passphrase of the owner's";
  await server.post("/auth/password/reset", { token: new URL(link).hash.replace("#token=", ""), password }, { token: null, expect: 204 });
  const { access_token: token } = await server.post("/auth/password/login", { email: ida.email, password }, { token: null });
  await handOver(token, "Ada", owner.email, { proven: true });
  server.token = await server.signIn();
  assert.equal((await members(server, owner.email)).role, "owner");
});

test("all of it is in the audit log in words, and can be narrowed down by what and by whom", async () => {
  await onPage(server, settings("audit"), {}, async (page) => {
    const table = page.getByRole("table", { name: "Audit log" });
    await table.waitFor();
    const more = button(page, "Show older entries");
    const rows = table.getByRole("row");
    while ((await more.count()) > 0) {
      const before = await rows.count();
      await more.click();
      await eventually(async () => (await rows.count()) > before || (await more.count()) === 0, true, "older entries");
    }
    const text = await table.innerText();
    for (const words of [
      "Claimed the instance",
      "Sent an invitation",
      "Revoked an invitation",
      "Accepted an invitation",
      "Changed a role from member to admin",
      "Disabled a member",
      "Enabled a member",
      "Removed a member",
      "Created an organization key",
      "Revoked an organization key",
      "Transferred ownership",
      "Signed in with a password",
    ]) {
      assert.ok(text.includes(words), words);
    }
    assert.doesNotMatch(text, /\b[a-z]+_?[a-z]*\.[a-z]+_[a-z_]+\b(?!@)/, "no action goes without words");
    await table.getByRole("button", { name: "Details: Disabled a member" }).first().click();
    await table.getByText("member.disabled").waitFor();
    await page.getByLabel("Action", { exact: true }).first().click();
    await page.getByRole("option", { name: "Invitations" }).click();
    await page.waitForURL(/action=invitation/);
    await eventually(async () => /Transferred|Signed in/.test(await table.innerText()), false, "others in the list");
    await page.getByLabel("Actor", { exact: true }).first().click();
    await page.getByRole("option", { name: "Ida" }).click();
    await page.waitForURL(/actor=/);
    // What she did stood there before, among what others did.
    const shown = async () => {
      const text = await table.innerText();
      return [text.includes("Accepted an invitation"), /Sent an invitation/.test(text)];
    };
    await eventually(shown, [true, false], "what Ida did alone");
  });
});

test("leaving the organization is the last thing that somebody does in it", async () => {
  const { token, email } = await member(server, "jan@example.com", { name: "Jan" });
  const context = await newContext(server, { token });
  const opened = await openPage(server, path, { context, allow: [401, 403, 404] });
  await choose(opened.page, "Jan", "Leave organization…");
  await button(opened.page.getByRole("dialog"), "Leave organization").click();
  await opened.page.waitForURL((url) => !url.pathname.startsWith("/organizations"));
  assert.equal(await members(server, email), undefined);
  opened.check();
  await context.close();
});
