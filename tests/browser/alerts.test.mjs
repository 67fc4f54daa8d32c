// Alert rules: the page, and what a webhook gets, verified as receivers do it: with the published library of Standard
// Webhooks.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";
import { button } from "./people.mjs";
import { filteredRule } from "./seed.mjs";
import { Server } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, onPage, pictures } from "./web.mjs";

let server;
let receiver;
const got = [];

before(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => (body += text));
    request.on("end", () => {
      got.push({ path: request.url, headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise((done) => receiver.listen(0, "127.0.0.1", done));
  server = await Server.start({ variables: { SERVICE_ALERTS_ALLOW_PRIVATE_URLS: "true" } });
});
after(async () => {
  await server?.stop();
  receiver?.close();
});

test("the published library takes a message, and refuses one that was changed", async () => {
  const project = await server.project("Hooks");
  const path = `/api/v1/projects/${project.id}`;
  const url = `http://127.0.0.1:${receiver.address().port}/hook`;
  const channel = await server.post(`${path}/alert-channels`, { name: "Hook", kind: "webhook", url }, { expect: 201 });
  const rule = { name: "New", condition: { type: "new" }, channels: [channel.id] };
  await server.post(`${path}/alert-rules`, rule, { expect: 201 });
  await project.sendAndRead({ type: "TypeError", message: "größer than 0 €" });
  const mine = () => got.filter(({ headers }) => headers["webhook-signature"]);
  await eventually(() => mine().length, 1, "the message");
  const [{ headers, body }] = mine();
  const verified = new Webhook(channel.secret).verify(body, headers);
  assert.equal(verified.type, "issue.created");
  assert.equal(verified.data.title, "New issue: TypeError: größer than 0 €");
  assert.throws(() => new Webhook(channel.secret).verify(body.replace("New issue", "Old issue"), headers), /signature/i);
  const other = await server.post(`${path}/alert-channels`, { name: "Other", kind: "webhook", url }, { expect: 201 });
  assert.throws(() => new Webhook(other.secret).verify(body, headers), /signature/i);
});

test("a channel and a rule are made on the page, tried, and seen at work", async () => {
  const project = await server.project("Alerts");
  await project.sendAndRead({ type: "E", message: "earlier" });
  const views = `/api/v1/projects/${project.id}/views`;
  const view = await server.post(views, { name: "Carts", query: "cart", shared: true }, { expect: 201 });
  await server.post(views, { name: "For myself", query: "cart" }, { expect: 201 });
  const url = `http://127.0.0.1:${receiver.address().port}/chat`;
  await onPage(server, `/projects/${project.id}/settings/alerts`, { allow: [422] }, async (page) => {
    const dialog = page.getByRole("dialog");
    await button(page, "New channel…").click();
    await dialog.getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: "Slack" }).click();
    await dialog.getByLabel("Name").fill("Chat");
    await dialog.getByLabel("URL").fill("nonsense");
    await button(dialog, "Create channel").click();
    await dialog.getByText("begins with https://").waitFor();
    await dialog.getByLabel("URL").fill(url);
    await button(dialog, "Create channel").click();
    await page.getByRole("table", { name: "Channels" }).getByText("Slack, 127.0.0.1").waitFor();
    await Promise.all([page.getByText("Test delivered").waitFor(), button(page, "Test Chat").click()]);

    await button(page, "New rule…").click();
    await dialog.getByLabel("Name").fill("All that is new");
    const bottom = async (of) => of.boundingBox().then(({ y, height }) => y + height);
    assert.ok((await bottom(button(dialog, "Create rule"))) < (await bottom(dialog)), "a long form's buttons are in sight");
    // What is chosen lies over the field itself.
    await dialog.getByRole("combobox", { name: "Channels" }).click({ force: true });
    await page.getByRole("option", { name: "Chat" }).click();
    await dialog.getByLabel("Name").click();
    await page.setViewportSize({ width: 390, height: 900 });
    const { width, height } = await dialog.locator(".mantine-Pill-remove").boundingBox();
    assert.ok(width >= 24 && height >= 24, `a thumb has ${width} × ${height} px to remove what was chosen`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await button(dialog, "Preview").click();
    await dialog.getByText("It would have fired 1 time in the last 7 days.").waitFor();
    await button(dialog, "Create rule").click();
    const rules = page.getByRole("table", { name: "Rules" });
    await rules.getByText("To Chat").waitFor();

    await project.sendAndRead({ type: "E", message: "later" });
    const messages = page.getByRole("table", { name: "Messages" });
    await messages.getByText("New issue: E: later").waitFor();
    await messages.getByText("Sent").waitFor();

    await button(page, "Edit All that is new").click();
    await dialog.getByLabel("Tags (optional)").fill("tier");
    await dialog.getByLabel("Query (optional)").fill("nope:1");
    await button(dialog, "Save").click();
    await dialog.getByText("Write tier as key:value.").waitFor();
    await dialog.getByLabel("Tags (optional)").press("Backspace");
    await dialog.getByLabel("Tags (optional)").fill("tier:1");
    await button(dialog, "Save").click();
    await dialog.getByText("There is no field").waitFor();
    await dialog.getByLabel("Query (optional)").fill("");
    await dialog.getByRole("combobox", { name: "Limit to a saved view" }).click();
    await page.getByRole("option", { name: "Carts" }).waitFor();
    assert.deepEqual(await page.getByRole("option").allInnerTexts(), ["All issues", "Carts"]);
    await page.getByRole("option", { name: "Carts" }).click();
    await button(dialog, "Save").click();
    await dialog.waitFor({ state: "detached" });
    const { rules: saved } = await server.request(`/api/v1/projects/${project.id}/alert-rules`);
    assert.deepEqual(saved[0].filters.tags, [{ key: "tier", value: "1" }]);
    assert.equal(saved[0].filters.view_id, view.id);

    await button(page, "Edit Chat").click();
    await dialog.getByLabel("Name").fill("Team chat");
    await dialog.getByLabel("Quiet time about an issue").fill("5");
    await button(dialog, "Save").click();
    await page.getByRole("table", { name: "Channels" }).getByText("Team chat").waitFor();
    const { channels: kept } = await server.request(`/api/v1/projects/${project.id}/alert-channels`);
    assert.equal(kept[0].issue_quiet_minutes, 5);
    const delivered = page.getByText("Test delivered").last().waitFor();
    await Promise.all([delivered, button(page, "Test Team chat").click()]);
    await button(page, "Delete Team chat").click();
    await button(dialog, "Delete channel").click();
    await rules.getByText("No channel").waitFor();
  });
});

test("a rule says what it is limited to beside its neighbours, however narrow the page is", async () => {
  const project = await server.project("Filtered");
  await filteredRule(project);
  await onPage(server, `/projects/${project.id}/settings/alerts`, {}, async (page) => {
    const rule = page.getByRole("table", { name: "Rules" }).locator("tbody td").first();
    await rule.getByText("Level error or fatal").waitFor();
    await rule.getByText("view “Carts of customers”").waitFor();
    for (const width of [1440, 1024, 390]) {
      await pictures(page, "alerts-filtered", [{ width, scheme: "light" }]);
      const beyond = await rule.evaluate((cell) => {
        const { right } = cell.getBoundingClientRect();
        // The space at which a line is broken hangs beyond it.
        return [...cell.querySelectorAll("*")].filter((each) => each.getBoundingClientRect().right > right + 8).map((each) => each.textContent);
      });
      assert.deepEqual(beyond, [], `at ${width} px nothing leaves its cell`);
    }
  });
});

test("a rule with many limits is a few lines high until all of it is asked for", async () => {
  const project = await server.project("Many limits");
  const path = `/api/v1/projects/${project.id}/alert-rules`;
  const named = (what) => ["one", "two", "three", "four", "five"].map((each) => `${what}-${each}-${"of-a-long-name-".repeat(3)}`);
  const limits = { environments: named("environment"), releases: named("release"), query: "cart ".repeat(40).trim() };
  await server.post(path, { name: "Extreme", condition: { type: "new" }, filters: limits }, { expect: 201 });
  await server.post(path, { name: "Plain", condition: { type: "new" } }, { expect: 201 });
  await onPage(server, `/projects/${project.id}/settings/alerts`, {}, async (page) => {
    const rows = page.getByRole("table", { name: "Rules" }).locator("tbody tr");
    const extreme = rows.filter({ hasText: "Extreme" }).locator("td").first();
    await rows.filter({ hasText: "Plain" }).waitFor();
    assert.equal(await button(page, "Show all of Plain").count(), 0);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const height = async () => (await extreme.boundingBox()).height;
      await button(page, "Show all of Extreme").waitFor();
      const folded = await height();
      assert.ok(folded <= 150, `${folded} px at ${width}`);
      await extreme.getByText("No channel, so nothing is sent").waitFor();
      await button(page, "Show all of Extreme").click();
      await button(page, "Show less of Extreme").waitFor();
      assert.ok((await height()) > folded + 20, "the rest is there");
      await button(page, "Show less of Extreme").click();
    }
    await pictures(page, "alerts-extreme");
  });
});

test("a webhook gets another secret on its page, and old messages are on further pages", { tag: "@pages" }, async () => {
  const project = await server.project("Pages");
  const path = `/api/v1/projects/${project.id}`;
  const url = `http://127.0.0.1:${receiver.address().port}/paged`;
  const { id: channel, secret } = await server.post(`${path}/alert-channels`, { name: "Hook", kind: "webhook", url }, { expect: 201 });
  await server.post(`${path}/alert-rules`, { name: "All", condition: { type: "new" }, channels: [channel] }, { expect: 201 });
  for (let number = 0; number < 27; number++) await project.sendAndRead({ type: "E", message: `number ${String.fromCharCode(97 + number)}x` });
  await eventually(() => got.filter(({ path: to }) => to === "/paged").length, 27, "the messages");
  await onPage(server, `/projects/${project.id}/settings/alerts`, {}, async (page) => {
    const dialog = page.getByRole("dialog");
    await button(page, "Edit Hook").click();
    await dialog.getByLabel("Create another signing secret").check();
    await button(dialog, "Save").click();
    const shown = (await dialog.getByRole("group", { name: "Signing secret" }).innerText()).trim();
    assert.match(shown, /^whsec_/);
    assert.notEqual(shown, secret);
    await dialog.getByLabel("I have stored it in a safe place").check();
    await dialog.getByRole("button").last().click();
    const rows = page.getByRole("table", { name: "Messages" }).locator("tbody tr");
    await eventually(() => rows.count(), 25, "the newest messages");
    await button(page, "Older").click();
    await eventually(() => rows.count(), 2, "the oldest messages");
    assert.equal(await button(page, "Older").isDisabled(), true);
    await button(page, "Newer").click();
    await eventually(() => rows.count(), 25, "the newest messages again");
  });
});
