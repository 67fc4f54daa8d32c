// The inbox's reading pane: issues are read and put away without leaving the inbox, by keyboard too.

import assert from "node:assert/strict";
import { button, member } from "./people.mjs";
import { inbox, readersOf, rows } from "./readers.mjs";
import { eventOf, fill, sendAll } from "./seed.mjs";
import { Server } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, onPage, pictures } from "./web.mjs";

const stack = "TypeError: basket is undefined\n    at pay (https://shop.example/app.js:1:200)";

let server;
let announce;
let told;
let hasTold;
let somebody;

before(async () => {
  server = await Server.start();
  ({ announce, told, hasTold, somebody } = readersOf(server));
});
after(() => server?.stop());

/** Somebody who was told of two issues, one after the other, and of an announcement. */
async function readerOfIssues(name, reading = somebody) {
  const project = await server.project(name);
  const reader = await reading();
  await fill(project, 1, () => ({ fingerprint: ["first"], exception: { message: "the first", stack } }));
  await hasTold(reader.token, 1);
  await announce("Maintenance", { text: "On Sunday." });
  await hasTold(reader.token, 2);
  await sendAll(project, [eventOf(0, { fingerprint: ["second"], exception: { message: "the second", stack }, tags: { shop: "Berlin" } })]);
  await hasTold(reader.token, 3);
  return { project, token: reader.token };
}

const pane = (page) => page.getByRole("region", { name: /^New issue: |^Maintenance$/ });
const opened = (page) => new URL(page.url()).searchParams.get("open");
const ids = async (token) => (await told(token)).notifications.map(({ id }) => `${id}`);

test("issues are read beside the list, and the keyboard goes on from one to the next", async () => {
  const { token } = await readerOfIssues("By keyboard");
  const [newest, announced, oldest] = await ids(token);
  await onPage(server, inbox, { token }, async (page) => {
    await rows(page).nth(2).waitFor();
    assert.equal(await pane(page).count(), 0);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await pane(page).getByText("the second").first().waitFor();
    assert.equal(opened(page), newest);
    // It has the keyboard, its stack, and what can be done with the issue; the numbers stay with the issue's own page.
    await eventually(() => page.evaluate(() => document.activeElement?.hasAttribute("data-pane")), true);
    await pane(page).getByRole("button", { name: "Resolve", exact: true }).waitFor();
    await pane(page).getByText("pay").first().waitFor();
    assert.equal(await page.getByRole("complementary", { name: "Trend, releases, users and tags" }).count(), 0);
    await eventually(async () => (await told(token, "unread_only=true")).total, 2, "unread once it is read");
    await pictures(page, "inbox-reading", [{ width: 1440, scheme: "light" }, { width: 1440, scheme: "dark" }, { width: 1024, scheme: "light" }]);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.keyboard.press("j");
    await pane(page).getByText("On Sunday.").waitFor();
    assert.equal(opened(page), announced);
    await page.keyboard.press("j");
    await pane(page).getByText("the first").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await eventually(() => opened(page), announced);
    // Put away, and the next one is read.
    await page.keyboard.press("e");
    await pane(page).getByText("the first").first().waitFor();
    await eventually(() => rows(page).count(), 2);
    assert.equal(opened(page), oldest);
    await page.keyboard.press("Escape");
    await pane(page).waitFor({ state: "detached" });
    assert.equal(opened(page), null);
    assert.equal(await rows(page).count(), 2);
    // The row has the keyboard again.
    await page.keyboard.press("Enter");
    await pane(page).getByText("the first").first().waitFor();
    await page.keyboard.press("Escape");
    await pane(page).waitFor({ state: "detached" });
    assert.equal(opened(page), null);
    // Closing was the step back, and left no second entry of the list.
    await page.goForward();
    await pane(page).getByText("the first").first().waitFor();
    await page.keyboard.press("Escape");
    await pane(page).waitFor({ state: "detached" });
    // The issue's own page is one key away.
    await page.keyboard.press("o");
    await page.waitForURL(/\/projects\/\d+\/issues\/\d+$/);
  });
});

test("a notification that is read stays in the list of unread ones", async () => {
  const { token } = await readerOfIssues("Unread");
  const [newest, announced] = await ids(token);
  await onPage(server, `${inbox}?show=unread`, { token }, async (page) => {
    await rows(page).nth(2).waitFor();
    await rows(page).first().getByRole("link").click();
    await page.getByText("2 notifications", { exact: true }).waitFor();
    await pane(page).getByText("the second").first().waitFor();
    assert.equal(opened(page), newest);
    await page.keyboard.press("j");
    await eventually(() => opened(page), announced, "none is skipped");
  });
});

test("on a small screen it is a page of its own, and one step back", async () => {
  const { token } = await readerOfIssues("Small");
  await onPage(server, inbox, { token, width: 390 }, async (page) => {
    await rows(page).first().getByRole("link").click();
    await pane(page).getByText("the second").first().waitFor();
    assert.equal(await page.getByRole("list", { name: "Notifications" }).isVisible(), false);
    assert.equal(await page.getByRole("link", { name: "Preferences" }).count(), 0, "nothing of the list takes the keyboard unseen");
    await pictures(page, "inbox-reading-small", [{ width: 390, scheme: "light" }, { width: 390, scheme: "dark" }]);
    await pane(page).getByRole("link", { name: "Inbox" }).click();
    await rows(page).nth(2).waitFor();
    assert.equal(opened(page), null);
    // The link was the step back, and left no second entry of the list.
    await page.goForward();
    await pane(page).getByText("the second").first().waitFor();
    await page.reload();
    await pane(page).getByText("the second").first().waitFor();
    await page.keyboard.press("Escape");
    await rows(page).nth(2).waitFor();
  });
});

test("the next one is read once an issue is deleted", async () => {
  const { project, token } = await readerOfIssues("Deleted", () => member(server, "admin@reading.example", { role: "admin" }));
  const { issues } = await project.issues();
  const { short_id: word } = issues.find(({ title }) => title.includes("the second"));
  const [newest, announced] = await ids(token);
  await onPage(server, `${inbox}?open=${newest}`, { token }, async (page) => {
    await button(pane(page), "More actions").click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete issue?" });
    await dialog.getByRole("textbox").fill(word);
    await button(dialog, "Delete issue").click();
    await pane(page).getByText("On Sunday.").waitFor();
    assert.equal(opened(page), announced);
    await page.keyboard.press("j");
    await pane(page).getByText("the first").first().waitFor();
  });
});

test("an address of one that is not on the page of the list says so", async () => {
  const { token } = await readerOfIssues("Elsewhere");
  const [newest] = await ids(token);
  await server.request(`/api/v1/notifications/${newest}/archive`, { method: "PATCH", token });
  for (const width of [1440, 390])
    await onPage(server, `${inbox}?open=${newest}`, { token, width }, async (page) => {
      await page.getByText(/^The notification that this link opens is not listed here/).waitFor();
      await rows(page).nth(1).waitFor();
      const cut = await button(page, "Dismiss").evaluate((each) =>
        Math.max(...[each, ...each.querySelectorAll("*")].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)));
      assert.ok(cut <= 1, `the button is whole at ${width} pixels`);
      await button(page, "Dismiss").click();
      await page.getByText(/^The notification that this link opens is not listed here/).waitFor({ state: "detached" });
      assert.equal(opened(page), null);
    });
});

test("one that is left for its issue at once is read", async () => {
  const { token } = await readerOfIssues("At once");
  await onPage(server, inbox, { token }, async (page) => {
    await rows(page).first().getByRole("link").click();
    await pane(page).getByRole("link", { name: "Open the issue" }).click();
    await page.waitForURL(/\/projects\/\d+\/issues\/\d+$/);
    await eventually(async () => (await told(token, "unread_only=true")).total, 2);
  });
});

test("an issue that is gone says so", async () => {
  const { project, token } = await readerOfIssues("Gone");
  const { issues } = await project.issues();
  for (const { id } of issues) await server.request(`/api/v1/projects/${project.id}/issues/${id}`, { method: "DELETE", expect: 204 });
  const [newest] = await ids(token);
  await onPage(server, `${inbox}?open=${newest}`, { token, allow: [404] }, async (page) => {
    await pane(page).getByText("Issue not found").waitFor();
  });
});
