// Mail, read out of a real SMTP server, and what its links do in a browser; and how it goes without mail.

import assert from "node:assert/strict";
import { request } from "node:http";
import { MailSink, certificate, linkIn } from "./mail.mjs";
import { alert, arrived, button, happened, invite, member, members, passphrase, settings, signedInAs, startSite, visit } from "./people.mjs";
import { until } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, newContext, onPage, openPage } from "./web.mjs";

let sink;
let server;
let mute;
const invites = /invites you to join/;
const resets = /^Set a new Mayday password/;
const confirms = /^Confirm your address/;
const local = (link) => link.pathname + link.search + link.hash;
const refusedLogin = (email, password) => server.post("/auth/password/login", { email, password }, { token: null, expect: 401 });

before(async () => {
  sink = await MailSink.start();
  server = await startSite({ variables: sink.variables() });
  mute = await startSite();
});
after(async () => {
  await server?.stop();
  await mute?.stop();
  await sink?.close();
});

/** Registers on the page of an invitation. */
async function join(page, password = passphrase, name = "Bob") {
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Join and sign in").click();
}

/** A request with headers that `fetch` does not let through. */
function asked(path, body, headers) {
  const { port } = new URL(server.origin);
  const text = JSON.stringify(body);
  return new Promise((done, failed) => {
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers: { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text), ...headers } }, (response) => {
      response.resume();
      response.on("end", () => done(response.statusCode));
    });
    sent.on("error", failed);
    sent.end(text);
  });
}

test("an invitation comes by mail, and its link leads to an account with the invited role", async () => {
  await invite(server, "bob@example.com", "admin");
  const mail = await sink.next("bob@example.com", invites);
  assert.deepEqual(mail.to, ["bob@example.com"]);
  assert.equal(mail.headers.From, "Mayday <mayday@example.com>");
  assert.match(mail.headers.Subject, /invites you to join Acme on Mayday/);
  assert.match(mail.headers["Message-ID"], /^<[^@]+@example\.com>$/);
  assert.equal(mail.type, "multipart/alternative");
  assert.match(mail.text, /as admin/);
  const link = linkIn(mail);
  assert.equal(link.origin, server.origin);
  const act = async (page, context) => {
    await page.getByRole("heading", { name: "Join Acme" }).waitFor();
    assert.equal(new URL(page.url()).search, "", "the token does not stay in the address");
    await page.getByText("bob@example.com").first().waitFor();
    await join(page);
    await arrived(server, page, context, "bob@example.com");
  };
  await visit(server, local(link), act);
  const { role, email_proven: isProven, name } = await members(server, "bob@example.com");
  assert.deepEqual({ role, isProven, name }, { role: "admin", isProven: true, name: "Bob" });
  await visit(server, local(link), (page) => page.getByRole("heading", { name: "This invitation is no longer valid" }).waitFor(), { allow: [403] });
});

test("an invitation that is sent again has a new link, and the old one is dead", async () => {
  const { id } = await invite(server, "carol@example.com");
  const first = linkIn(await sink.next("carol@example.com", invites));
  const opened = await openPage(server, settings("members"));
  await button(opened.page, "Resend to carol@example.com").click();
  await opened.page.getByText(/the old one no longer works/).waitFor();
  opened.check();
  await opened.close();
  const second = linkIn(await sink.next("carol@example.com", invites, 1));
  assert.notEqual(first.search, second.search);
  await visit(server, local(first), (page) => page.getByRole("heading", { name: "This invitation is no longer valid" }).waitFor(), { allow: [403] });
  await visit(server, local(second), async (page, context) => {
    await join(page, passphrase, "Carol");
    await arrived(server, page, context, "carol@example.com");
  });
  const { status } = (await server.request("/api/v1/organizations/1/invitations")).invitations.find((each) => each.id === id);
  assert.equal(status, "accepted");
});

test("the state of a delivery is told: sent, and refused by the mail server with its reason", async () => {
  const opened = await openPage(server, settings("members"));
  const { page } = opened;
  await page.getByLabel("E-mail addresses to invite").fill("dan@example.com, refused@example.com");
  await button(page, "Invite").click();
  const row = (email) => page.getByRole("table", { name: "Pending invitations" }).getByRole("row").filter({ hasText: email });
  await row("refused@example.com").waitFor();
  const delivered = (email, status) =>
    until(`${email} ${status}`, async () => ((await server.request("/api/v1/organizations/1/invitations")).invitations.find((each) => each.email === email).delivery_status === status ? true : undefined));
  await delivered("dan@example.com", "sent");
  await delivered("refused@example.com", "failed");
  await page.reload();
  await row("dan@example.com").getByText("mail sent").waitFor();
  await row("refused@example.com").getByText(/mail failed \(.*550.*\): copy the link, or resend it/).waitFor();
  opened.check();
  await opened.close();
});

test("a forgotten password is set anew by a link: the old one and every session are over, and the link works once", async () => {
  const erin = await member(server, "erin@example.com");
  await visit(server, "/login", async (page) => {
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    // The sign-in asks for an e-mail, too, and stays until the next page is there.
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    await page.getByLabel("E-mail").fill("erin@example.com");
    await button(page, "Send link").click();
    await page.getByRole("heading", { name: "Check your mail" }).waitFor();
  });
  const link = linkIn(await sink.next("erin@example.com", resets));
  assert.equal(link.search, "", "the token is in the fragment, which no log keeps");
  await visit(server, local(link), async (page, context) => {
    await page.getByLabel("New password", { exact: true }).fill("too short");
    await button(page, "Set password").click();
    await page.getByText(/Use 12 to 256 characters/).waitFor();
    await page.getByLabel("New password", { exact: true }).fill("a wholly new passphrase");
    await button(page, "Set password").click();
    await page.getByRole("heading", { name: "Your password is set" }).waitFor();
    assert.equal(await signedInAs(server, context), null, "the link signs nobody in");
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("E-mail").fill("erin@example.com");
    await page.getByLabel("Password", { exact: true }).fill("a wholly new passphrase");
    await button(page, "Sign in").click();
    await arrived(server, page, context, "erin@example.com");
  });
  assert.equal((await server.raw("/api/v1/me", { token: erin.token })).status, 401, "the session of before");
  await refusedLogin("erin@example.com", passphrase);
  await visit(server, local(link), async (page) => {
    await page.getByLabel("New password", { exact: true }).fill("a third passphrase");
    await button(page, "Set password").click();
    await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
  }, { allow: [403] });
  const notice = await sink.next("erin@example.com", /password was changed/);
  assert.doesNotMatch(notice.text, /https?:/);
});

test("whether there is an account is not told, and nobody unknown is sent anything", async () => {
  await visit(server, "/forgot-password", async (page) => {
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await button(page, "Send link").click();
    await page.getByRole("heading", { name: "Check your mail" }).waitFor();
  });
  await server.post("/auth/password/forgot", { email: "ada@example.com" }, { token: null, expect: 202 });
  await sink.next("ada@example.com", resets);
  assert.deepEqual(sink.to("nobody@example.com"), []);
});

test("no header of a request changes where a link leads", async () => {
  const heads = [{ Host: "evil.example" }, { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" }, { Forwarded: "host=evil.example" }, { Origin: "https://evil.example" }];
  await member(server, "gus@example.com");
  let sent = 0;
  for (const headers of heads) {
    const known = sink.to("gus@example.com", resets).length;
    const status = await asked("/auth/password/forgot", { email: "gus@example.com" }, headers);
    if (status >= 400) continue; // Refused at once is as good.
    assert.equal(linkIn(await sink.next("gus@example.com", resets, known)).origin, server.origin, JSON.stringify(headers));
    sent += 1;
  }
  assert.ok(sent > 0);
  assert.doesNotMatch(JSON.stringify(sink.mails), /evil\.example/);
});

test("an address is changed by a link in the new mailbox, which needs a press, and the old one is told", async () => {
  const hal = await member(server, "hal@example.com", { name: "Hal" });
  await onPage(server, "/account", { token: hal.token, allow: [403] }, async (page) => {
    await button(page, "Change e-mail address…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("New e-mail address").fill("hal.new@example.com");
    await dialog.getByLabel("Your password", { exact: true }).fill("not the password");
    await button(dialog, "Send link").click();
    await dialog.getByText("The current password is wrong").waitFor();
    await dialog.getByLabel("Your password", { exact: true }).fill(passphrase);
    await button(dialog, "Send link").click();
    await page.getByText(/We sent a link to/).waitFor();
    const link = linkIn(await sink.next("hal.new@example.com", confirms));
    assert.equal((await members(server, "hal@example.com")).id, hal.id, "nothing has changed yet");
    await page.goto(server.origin + local(link));
    assert.ok(await members(server, "hal@example.com"), "opening the link changes nothing");
    await button(page, "Confirm address").click();
    await page.getByRole("heading", { name: "Your e-mail address has changed" }).waitFor();
    assert.equal((await members(server, "hal.new@example.com")).id, hal.id);
    await sink.next("hal@example.com", /address of your Mayday account was changed/);
    await page.goto("about:blank");
    await page.goto(server.origin + local(link));
    await button(page, "Confirm address").click();
    await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
  });
  await server.post("/auth/password/login", { email: "hal.new@example.com", password: passphrase }, { token: null });
  await refusedLogin("hal@example.com", passphrase);
  await happened(server, "email.changed");
});

test("names in mails are names: no line breaks, no links, nothing that turns the text around", async () => {
  const name = "Eve\r\nBcc: x@evil.example\u202e https://evil.example/";
  const admin = await member(server, "eve@example.com", { role: "admin" });
  await server.post("/api/v1/me", { name: "Eve https://evil.example/ www.evil.example\u202e" }, { method: "PATCH", token: admin.token, expect: [200, 422], headers: { Origin: server.origin } });
  await server.post("/api/v1/me", { name }, { method: "PATCH", token: admin.token, expect: [200, 422], headers: { Origin: server.origin } });
  await server.post("/api/v1/organizations/1", { name: "Acme https://evil.example/x" }, { method: "PATCH", expect: [200, 422] });
  await server.post("/api/v1/organizations/1/invitations", { email: "ivy@example.com" }, { token: admin.token, expect: 201, headers: { Origin: server.origin } });
  const mail = await sink.next("ivy@example.com", invites);
  assert.equal(linkIn(mail).origin, server.origin);
  assert.equal(mail.headers.Bcc, undefined);
  assert.doesNotMatch(mail.headers.Subject + mail.text, /\u202e|www\.evil/);
  await server.post("/api/v1/organizations/1", { name: "Acme" }, { method: "PATCH" });
  await server.post("/api/v1/organizations/1/invitations", { email: "x@example.com\r\nBcc: y@evil.example" }, { expect: 422 });
});

test("without mail the link is copied from the members page, and works", async () => {
  const context = await newContext(mute, { permissions: ["clipboard-read", "clipboard-write"] });
  const opened = await openPage(mute, settings("members"), { context });
  const { page } = opened;
  await page.getByLabel("E-mail addresses to invite").fill("bob@example.com");
  await button(page, "Invite").click();
  await page.getByText("invited; copy the link").waitFor();
  const said = page.getByText("Copied").first().waitFor({ state: "attached" });
  await Promise.all([said, button(page, "Copy link for bob@example.com").first().click()]);
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  opened.check();
  await context.close();
  assert.deepEqual([link.origin, link.pathname], [mute.origin, "/register"]);
  await visit(mute, local(link), async (other, own) => {
    await join(other);
    await arrived(mute, other, own, "bob@example.com");
  });
});

test("without mail that is said once, however many are invited, with the way to where it is set up", async () => {
  await onPage(mute, settings("members"), {}, async (page) => {
    await page.getByLabel("E-mail addresses to invite").fill("one@example.com, two@example.com");
    await button(page, "Invite").click();
    await page.getByRole("row").filter({ hasText: "two@example.com" }).getByText("not sent").waitFor();
    await eventually(() => page.locator("main").getByText(/mail is not set up/i).count(), 1, "told once");
    await page.getByRole("link", { name: "Set up mail" }).click();
    await page.getByRole("region", { name: "Mail" }).getByText("SERVICE_MAIL_SMTP_URL").waitFor();
  });
});

test("without mail a forgotten password is said to need an administrator, whose link sets one", async () => {
  await visit(mute, "/forgot-password", async (page) => {
    await page.getByLabel("E-mail").fill("bob@example.com");
    await button(page, "Send link").click();
    await page.getByRole("heading", { name: "This server does not send mail" }).waitFor();
  });
  const opened = await openPage(mute, settings("members"));
  await opened.page.getByRole("button", { name: "Actions for Bob" }).click();
  await opened.page.getByRole("menuitem", { name: "Create password link…" }).click();
  await button(opened.page, "Create link").click();
  const link = new URL((await opened.page.getByRole("group", { name: "Password link" }).textContent()).trim());
  opened.check();
  await opened.close();
  await visit(mute, local(link), async (page, context) => {
    await page.getByLabel("New password", { exact: true }).fill("a wholly new passphrase");
    await button(page, "Set password").click();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.waitForURL("**/login");
    await page.getByLabel("E-mail").fill("bob@example.com");
    await page.getByLabel("Password", { exact: true }).fill("a wholly new passphrase");
    await button(page, "Sign in").click();
    await arrived(mute, page, context, "bob@example.com");
  });
  await happened(mute, "password.reset_link_made");
});

test("without mail an address cannot be changed, and the page says why", async () => {
  const opened = await openPage(mute, "/account", { allow: [409] });
  await button(opened.page, "Change e-mail address…").click();
  const dialog = opened.page.getByRole("dialog");
  await dialog.getByLabel("New e-mail address").fill("ada.new@example.com");
  await dialog.getByLabel("Your password", { exact: true }).fill("a passphrase for tests");
  await button(dialog, "Send link").click();
  await alert(dialog, /mail/i).waitFor();
  opened.check();
  await opened.close();
});

for (const [tls, address] of [
  ["smtps", (port) => `smtps://localhost:${port}`],
  ["starttls", (port) => `smtp://localhost:${port}?tls=required`],
]) {
  test(`mail goes over TLS (${tls}), and only to a server whose certificate is good`, async () => {
    const secure = await MailSink.start({ tls });
    const started = [];
    const site = async (variables) => {
      const one = await startSite({ variables: { ...secure.variables(), SERVICE_MAIL_SMTP_URL: address(secure.port), ...variables } });
      started.push(one);
      return one;
    };
    try {
      await invite(await site({ SSL_CERT_FILE: certificate }), "bob@example.com");
      const mail = await secure.next("bob@example.com", invites);
      assert.equal(mail.tls, true);
      // A server that does not know the authority sends nothing.
      const stranger = await site({});
      await invite(stranger, "carol@example.com");
      const failing = await until("a failed attempt", async () => {
        const { invitations } = await stranger.request("/api/v1/organizations/1/invitations");
        return invitations.find(({ delivery_error: error }) => error);
      });
      assert.match(failing.delivery_error, /certificate/i);
      assert.deepEqual(secure.to("carol@example.com"), []);
    } finally {
      for (const one of started) await one.stop();
      await secure.close();
    }
  });
}
