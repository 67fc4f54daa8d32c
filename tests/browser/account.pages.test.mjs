// What is somebody's own: name, password, sessions, access tokens.

import assert from "node:assert/strict";
import { audit, button, happened, member, passphrase, signedInAs, startSite } from "./people.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, newContext, onPage } from "./web.mjs";

let server;
let bob;
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

before(async () => {
  server = await startSite();
  bob = await member(server, "bob@example.com", { name: "Bob" });
});
after(() => server?.stop());

/** Another session of Bob's. */
async function signIn({ password = passphrase, agent = firefox } = {}) {
  const body = { email: bob.email, password };
  return (await server.post("/auth/password/login", body, { token: null, headers: { "User-Agent": agent } })).access_token;
}
const status = async (token, path = "/api/v1/me") => (await server.raw(path, { token })).status;

test("a new name is kept, and shown beside the menu and to others at once", async () => {
  await onPage(server, "/account", { token: bob.token }, async (page) => {
    await page.getByLabel("Name", { exact: true }).fill("Robert Tables");
    await button(page, "Save").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("button", { name: "You: Robert Tables" }).waitFor();
    await page.reload();
    await eventually(() => page.getByLabel("Name", { exact: true }).inputValue(), "Robert Tables");
  });
  await onPage(server, "/organizations/1/settings/members", {}, (page) => page.getByRole("row").filter({ hasText: "Robert Tables" }).waitFor());
});

test("a name that was typed and not saved is asked about before it is lost", async () => {
  await onPage(server, "/account", { token: bob.token }, async (page) => {
    await page.getByLabel("Name", { exact: true }).fill("Somebody else");
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Devices" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await dialog.waitFor();
    await dialog.getByRole("button").filter({ hasText: /stay|cancel|keep/i }).first().click();
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Somebody else");
    await button(page, "Discard").click();
    await eventually(() => page.getByLabel("Name", { exact: true }).inputValue(), "Robert Tables");
  });
});

test("sessions are listed with what they are, and end one by one and together", async () => {
  const [one, two, three] = [await signIn(), await signIn({ agent: "curl/8.14.1" }), await signIn()];
  await onPage(server, "/account/sessions", { token: bob.token, allow: [401] }, async (page) => {
    const rows = page.getByRole("listitem").filter({ hasText: "signed in" });
    await eventually(() => rows.count(), 4);
    assert.match(await rows.first().innerText(), /this device/, "the own one is the first");
    assert.equal(await rows.first().getByRole("button").count(), 0, "and is not ended here");
    await rows.filter({ hasText: "Firefox" }).first().waitFor();
    await rows.filter({ hasText: "curl" }).getByRole("button", { name: /^Sign out / }).click();
    await button(page.getByRole("dialog"), "Sign out").click();
    await eventually(() => rows.count(), 3);
    assert.deepEqual([await status(one), await status(two), await status(three)], [200, 401, 200]);
    await button(page, "Sign out everywhere else…").click();
    await button(page.getByRole("dialog"), "Sign out everywhere else").click();
    await page.getByText("You are not signed in anywhere else.").waitFor();
    assert.deepEqual([await status(one), await status(three), await status(bob.token)], [401, 401, 200]);
  });
  assert.ok((await audit(server, "session.ended")).length > 0);
});

test("a wrong password is marked on its field, which gets the focus", async () => {
  await onPage(server, "/account", { token: bob.token, allow: [403] }, async (page) => {
    await button(page, "Change password").click();
    await page.getByLabel("Current password", { exact: true }).fill("not the password");
    await page.getByLabel("New password", { exact: true }).fill("a wholly new passphrase");
    await page.keyboard.press("Enter");
    await page.getByText("The current password is wrong").waitFor();
    const field = page.getByLabel("Current password", { exact: true });
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    await eventually(() => field.evaluate((input) => input === document.activeElement), true, "the focus");
  });
});

test("changing the password takes the old one, gives this browser a new session, and ends all others", async () => {
  const elsewhere = await signIn();
  const { token: tool } = await server.post("/api/v1/me/tokens", { name: "before", scopes: ["read"] }, { token: bob.token, expect: 201 });
  assert.equal(await status(tool), 200);
  const context = await newContext(server, { token: bob.token });
  const fill = async (page, current, next) => {
    await page.getByLabel("Current password", { exact: true }).fill(current);
    await page.getByLabel("New password", { exact: true }).fill(next);
    await button(page, "Change password").click();
  };
  await onPage(server, "/account", { context, allow: [403, 422] }, async (page) => {
    await button(page, "Change password").click();
    await fill(page, "not the password", "a wholly new passphrase");
    await page.getByText("The current password is wrong").waitFor();
    await fill(page, passphrase, "short");
    await page.getByText(/Use 12 to 256 characters; this has 5/).waitFor();
    await fill(page, passphrase, "a wholly new passphrase");
    await page.getByText("Password changed. You are signed out everywhere else, and your access tokens are revoked.").waitFor();
    assert.equal(await status(tool), 401, "the token ended with the password");
    assert.equal(await signedInAs(server, context), bob.email);
    const [{ value: token }] = (await context.cookies(server.origin)).filter(({ name }) => name === "mayday_session");
    assert.notEqual(token, bob.token, "a new session");
    assert.deepEqual([await status(bob.token), await status(elsewhere)], [401, 401]);
    bob.token = token;
  });
  await context.close();
  await server.post("/auth/password/login", { email: bob.email, password: passphrase }, { token: null, expect: 401 });
  await happened(server, "password.changed");
});

test("a token is shown once, works as far as its scope goes, and is refused once it is revoked", async () => {
  const project = await server.project("Shop");
  let token;
  await onPage(server, "/account/tokens", { token: bob.token }, async (page) => {
    await page.getByText("No active tokens").waitFor();
    await button(page, "New token…").click();
    const dialog = page.getByRole("dialog");
    await button(dialog, "Create token").click();
    await dialog.getByText("Enter a name that tells you where it is used.").waitFor();
    await dialog.getByLabel("Name").fill("nightly report");
    await button(dialog, "Create token").click();
    token = (await dialog.getByRole("group", { name: "New token" }).textContent()).trim();
    const command = await dialog.getByRole("group", { name: "Command that connects Claude Code" }).textContent();
    assert.equal(
      command.trim(),
      `claude mcp add --transport http mayday ${server.origin}/mcp --header "Authorization: Bearer ${token}"`,
    );
    assert.equal(await button(dialog, "Done").isDisabled(), true);
    await page.keyboard.press("Escape");
    await dialog.getByText("I have stored it in a safe place").click();
    await button(dialog, "Done").click();
    await page.getByRole("row").filter({ hasText: "nightly report" }).waitFor();
    assert.ok(!(await page.content()).includes(token), "not in the page any more");
    await page.reload();
    await page.getByRole("row").filter({ hasText: "nightly report" }).filter({ hasText: "never" }).waitFor();
    assert.ok(!(await page.content()).includes(token));

    assert.equal(await status(token, `/api/v1/projects/${project.id}/issues`), 200);
    const write = await server.raw("/api/v1/me", { method: "PATCH", token, body: "{}", headers: { "Content-Type": "application/json" } });
    assert.ok([401, 403].includes(write.status), `a token changes nobody: ${write.status}`);
    assert.ok([401, 403].includes(await status(token, "/api/v1/me/tokens")), "a token does not list tokens");

    await button(page, "Revoke nightly report").click();
    await button(page.getByRole("dialog"), "Revoke token").click();
    await page.getByText("No active tokens").waitFor();
    await page.getByText("2 inactive tokens").waitFor();
  });
  assert.equal(await status(token, `/api/v1/projects/${project.id}/issues`), 401);
  const entries = await audit(server, "token.");
  assert.deepEqual(entries.map(({ action }) => action), ["token.revoked", "token.created", "token.created"]);
  assert.ok(!JSON.stringify(entries).includes(token));
});

test("what a browser says of itself is shown as text, cut, and in one line", async () => {
  await signIn({ password: "a wholly new passphrase", agent: `<img src=x onerror=alert(1)>${"\u00e9".repeat(50)}${"x".repeat(3000)}` });
  await signIn({ password: "a wholly new passphrase", agent: "Mozilla/5.0 (<script>alert(1)</script>) Firefox/<b>1</b>" });
  await onPage(server, "/account/sessions", { token: bob.token }, async (page) => {
    await eventually(() => page.getByRole("listitem").filter({ hasText: "signed in" }).count(), 3);
    assert.equal(await page.locator("main img, main script, main b").count(), 0);
  });
});

test("the command or settings that connect each agent are shown, with this server's address", async () => {
  await onPage(server, "/account/agents", { token: bob.token }, async (page) => {
    const text = (name) => page.getByRole("group", { name, exact: true }).innerText();
    assert.equal(await text("Address of the MCP server"), `${server.origin}/mcp`);
    assert.ok((await text("Setup: Claude Code")).startsWith(`claude mcp add --transport http mayday ${server.origin}/mcp `));
    await page.getByRole("tab", { name: "Codex" }).click();
    assert.ok((await text("Setup: Codex")).includes(`url = "${server.origin}/mcp"`));
    await button(page, "New token…").click();
    await page.getByRole("dialog", { name: "New access token" }).waitFor();
  });
});
