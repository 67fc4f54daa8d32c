// What mails look like in a mail program: both colour schemes, wide and on a phone, with hostile words in them.

import assert from "node:assert/strict";
import { fillLogs } from "./log-seed.mjs";
import { MailSink } from "./mail.mjs";
import { invite, startSite } from "./people.mjs";
import { fill } from "./seed.mjs";
import { after, before, test } from "./suite.mjs";
import { assertWhole, newContext, picture } from "./web.mjs";

let sink;
let server;

before(async () => {
  sink = await MailSink.start();
  server = await startSite({ variables: sink.variables() });
});
after(async () => {
  await server?.stop();
  await sink?.close();
});

/** Shows a mail's HTML as a program does that runs no scripts and loads nothing. */
async function look(name, { html, text }, act = async () => undefined) {
  assert.doesNotMatch(html, /<script|<img|<link|@import|url\(/i);
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link.replaceAll("&amp;", "&"));
  assert.ok(links.length > 0 || !/https?:/.test(text), name);
  for (const link of links) {
    assert.ok(link.startsWith(`${server.origin}/`), link);
    assert.ok(text.includes(link), `${link} is in the text, too`);
  }
  for (const scheme of ["light", "dark"]) {
    for (const width of [700, 390]) {
      const context = await newContext(server, { width, scheme, signedIn: false });
      const page = await context.newPage();
      const asked = [];
      page.on("request", (request) => asked.push(request.url()));
      page.on("dialog", (dialog) => asked.push(dialog.message()));
      await page.setContent(html);
      await assertWhole(page, `${name} at ${width} px, ${scheme}`);
      await act(page);
      await picture(page, `mail-${name}-${width}-${scheme}`);
      assert.deepEqual(asked, [], `${name} loads nothing`);
      await context.close();
    }
  }
}

test("an invitation", async () => {
  await invite(server, "bob@example.com", "admin");
  await look("invitation", await sink.next("bob@example.com", /invites you to join/), async (page) => {
    await page.getByRole("link", { name: "Accept the invitation" }).waitFor();
  });
});

test("a new password", async () => {
  await server.post("/auth/password/forgot", { email: "ada@example.com" }, { token: null, expect: 202 });
  await look("password", await sink.next("ada@example.com", /^Set a new Mayday password/));
});

test("an issue, and what senders write is text; mails of one issue belong together", async () => {
  const project = await server.project("Shop");
  const message = `<img src=x onerror=alert(1)> \r\nBcc: eve@evil.example \u202e שלום ${"verylongword".repeat(40)}`;
  await fill(project, 1, () => ({ exception: { message } }));
  const mail = await sink.next("ada@example.com", /^New issue/);
  assert.equal(mail.headers.Bcc, undefined);
  assert.deepEqual(mail.to, ["ada@example.com"]);
  assert.ok(!mail.html.includes("\u202e") && !mail.text.includes("\u202e"));
  await look("issue", mail, async (page) => {
    await page.getByRole("heading").getByText("<img src=x onerror=alert(1)>").waitFor();
    assert.equal(await page.locator("img").count(), 0);
  });
  const [{ id }] = (await project.issues()).issues;
  const thread = `<issue-${id}@localhost>`;
  assert.deepEqual([mail.headers["In-Reply-To"], mail.headers.References], [thread, thread]);
  await server.post(`/api/v1/projects/${project.id}/issues`, { ids: [id], status: "resolved" }, { method: "PATCH" });
  await fill(project, 1, () => ({ exception: { message } }));
  const again = await sink.next("ada@example.com", /^Regressed/);
  assert.equal(again.headers.References, thread);
  assert.notEqual(again.headers["Message-ID"], mail.headers["Message-ID"]);
});

test("where an error was thrown and what was logged before", async () => {
  const project = await server.project("Till");
  const trace_id = "7f".repeat(16);
  const hostile = ["<b onclick=alert(1)>paid</b>", `\u202e שלום ${"x".repeat(10_000)}`, "see https://evil.example/now\r\nBcc: eve@evil.example"];
  await fillLogs(project, 5, (index) => ({ trace_id, ...(hostile[index] && { message: hostile[index] }) }));
  const frames = ["pay", "submit", "onClick"].map((name, index) => ({ function: name, filename: `https://shop.example/src/checkout/${name}.ts`, lineno: 7 + index, colno: 3 }));
  await fill(project, 1, () => ({ trace_id, exception: { message: "amount is undefined", stack: undefined, frames } }));
  const mail = await sink.next("ada@example.com", /^New issue: TypeError: amount/);
  assert.match(mail.text, /Where it was thrown:\r\n {4}at pay \([^]*The last log entries of its trace:\r\n {4}\d/);
  assert.ok(!mail.text.includes("\u202e") && !mail.html.includes("\u202e") && !/https:\/\/(evil|shop)/.test(mail.text + mail.html));
  await look("details", mail, async (page) => {
    await page.getByText("at pay (").waitFor();
    await page.getByText("<b onclick=alert(1)>paid</b>").waitFor();
    assert.equal(await page.locator("b").count(), 0);
  });
});
