// Signing in through a code host: a stand-in for GitHub that is ours, see `code-host.mjs`.

import assert from "node:assert/strict";
import { CodeHost, authorize } from "./code-host.mjs";
import { alert, arrived, button, happened, invite, members, refused, signedInAs, startSite, visit } from "./people.mjs";
import { owner } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { newContext, openPage } from "./web.mjs";

let host;
let server;
const primary = (email, verified = true) => ({ email, primary: true, verified, visibility: null });
const other = (email, verified = true) => ({ email, primary: false, verified, visibility: null });

before(async () => {
  host = await CodeHost.start();
  server = await startSite({ provider: host });
});
after(async () => {
  await server?.stop();
  await host?.close();
});

const through = (login, then) =>
  visit(
    server,
    "/login",
    async (page, context, opened) => {
      await button(page, "Continue with GitHub").click();
      await authorize(page, login);
      await then(page, context, opened);
    },
    { others: [host.origin] },
  );
const getsIn = (login, email) => through(login, (page, context) => arrived(server, page, context, email));
const isRefused = (login, words) => through(login, (page, context) => refused(server, page, context, words));

/** Opens the owner's account page, and links an account of the code host there. */
async function link(login, then) {
  const context = await newContext(server);
  const opened = await openPage(server, "/account", { context, others: [host.origin] });
  try {
    await button(opened.page, "Link GitHub").click();
    await authorize(opened.page, login);
    await opened.page.waitForURL((url) => url.pathname === "/account" && url.origin === server.origin);
    await then(opened.page, context);
    opened.check();
  } catch (error) {
    await opened.report(error);
    throw error;
  } finally {
    await context.close();
  }
}

test("who is invited gets in by a verified address, primary or not", async () => {
  await invite(server, "octo@example.com", "admin");
  host.person("octo", { id: 583231, name: "The Octocat", emails: [primary("octo@private.example"), other("octo@example.com", false)] });
  await isRefused("octo", "You do not have an account here yet.");
  host.person("octo", { id: 583231, name: "The Octocat", emails: [primary("octo@private.example"), other("octo@example.com")] });
  await getsIn("octo", "octo@example.com");
  const { role, name } = await members(server, "octo@example.com");
  assert.deepEqual({ role, name }, { role: "admin", name: "The Octocat" });
});

test("an account is known by its number: renamed it is the same, and who takes the name over is not", async () => {
  const { id } = await members(server, "octo@example.com");
  host.person("renamed", { id: 583231, emails: [primary("elsewhere@example.com")] });
  await getsIn("renamed", "octo@example.com");
  assert.equal((await members(server, "octo@example.com")).id, id);
  host.person("octo", { id: 999, emails: [primary("octo@example.com")] });
  await isRefused("octo", "That account is linked to somebody else.");
});

test("a stranger is not let in, and neither is an address that the host has not verified", async () => {
  host.person("stranger", { id: 2, emails: [primary("stranger@example.com")] });
  await isRefused("stranger", "You do not have an account here yet.");
  host.person("pretender", { id: 3, emails: [primary(owner.email, false)] });
  await isRefused("pretender", /e-mail/);
  host.person("silent", { id: 4, emails: [] });
  await isRefused("silent", "The provider did not share your e-mail address.");
  assert.deepEqual((await server.request("/api/v1/me")).identities, []);
});

test("who says no comes back to words", async () => {
  const act = async (page, context) => {
    await button(page, "Continue with GitHub").click();
    await button(page, "Cancel").click();
    await refused(server, page, context, "The sign-in was cancelled at the provider.");
  };
  await visit(server, "/login", act, { others: [host.origin] });
});

test("an account is linked from the account page, signs in, and is unlinked", async () => {
  host.person("ada", { id: 1815, emails: [primary("ada.lovelace@private.example")] });
  await link("ada", async (page, context) => {
    await button(page, "Unlink GitHub").waitFor();
    await page.getByText("ada.lovelace@private.example").waitFor();
    assert.equal(await button(page, "Link GitHub").count(), 0);
    assert.equal(await signedInAs(server, context), owner.email);
  });
  await happened(server, "identity.linked", ({ actor }) => actor === owner.email);
  await getsIn("ada", owner.email);

  const opened = await openPage(server, "/account");
  await button(opened.page, "Unlink GitHub").click();
  await opened.page.getByRole("dialog").getByText("ada.lovelace@private.example").waitFor();
  await button(opened.page, "Unlink account").click();
  await button(opened.page, "Link GitHub").waitFor();
  opened.check();
  await opened.close();
  await happened(server, "identity.unlinked");
  await isRefused("ada", "You do not have an account here yet.");
});

test("an account that is linked to somebody else cannot be linked, in words on the account page", async () => {
  await link("renamed", async (page, context) => {
    await alert(page, "That account is linked to somebody else.").waitFor();
    assert.equal(await signedInAs(server, context), owner.email);
    await button(page, "Link GitHub").waitFor();
  });
});

test("a link that is cancelled changes nothing, and is told on the account page", async () => {
  const opened = await openPage(server, "/account", { others: [host.origin] });
  await button(opened.page, "Link GitHub").click();
  await button(opened.page, "Cancel").click();
  await alert(opened.page, "The sign-in was cancelled at the provider.").waitFor();
  await button(opened.page, "Link GitHub").waitFor();
  opened.check();
  await opened.close();
});

test("a link that one person began is not finished in the browser of another", async () => {
  host.person("attacker", { id: 666, emails: [primary("attacker@example.com")] });
  const mine = await newContext(server, { signedIn: false });
  const theirs = await newContext(server);
  try {
    const { location } = await server.post("/auth/github/start", { purpose: "link", redirect_to: "/account" });
    const page = await mine.newPage();
    await page.goto(location);
    let back;
    page.on("request", (request) => (back = request.url().includes("/auth/github/callback") ? request.url() : back));
    await authorize(page, "attacker");
    await refused(server, page, mine, "The sign-in was started in another browser.");
    const victim = await theirs.newPage();
    await victim.goto(back);
    await victim.waitForURL((url) => !url.pathname.includes("callback"));
    assert.deepEqual((await server.request("/api/v1/me")).identities, [], "nothing was linked");
  } finally {
    await mine.close();
    await theirs.close();
  }
});
