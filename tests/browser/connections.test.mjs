// Connections: a tracker is connected on the page, a ticket made from an issue, and what the pages say when there is none.

import assert from "node:assert/strict";
import { button, member } from "./people.mjs";
import { startOutside } from "./outside.mjs";
import { Server } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { onPage, picture } from "./web.mjs";

let server;
let outside;
let url;
let broken = false;

before(async () => {
  outside = await startOutside(() => broken);
  ({ url } = outside);
  server = await Server.start({ variables: { SERVICE_CONNECTIONS_ALLOW_PRIVATE_URLS: "true" } });
});
after(async () => {
  await server?.stop();
  outside?.stop();
});

test("a tracker is connected, checked and disconnected, and a ticket is made from an issue", async () => {
  const project = await server.project("Shop");
  const event = await project.sendAndRead({ type: "TypeError", message: "cart is undefined" });
  const issue = `/projects/${project.id}/issues/${event.issue_id}`;
  await onPage(server, issue, {}, async (page) => {
    await page.getByText("No tracker is connected.").waitFor();
    await page.getByRole("link", { name: "Connect one" }).click();
    await page.getByText("Nothing is connected").waitFor();
    await page.getByText("SERVICE_HOST_APP_ID").waitFor();
  });
  const [organization] = await server.request("/api/v1/organizations");
  const settings = `/organizations/${organization.id}/settings/connections`;
  await onPage(server, settings, { allow: [409] }, async (page) => {
    const dialog = page.getByRole("dialog");
    await button(page, "Connect a service…").click();
    await button(dialog, "Connect").click();
    await dialog.getByText("Enter the token.").waitFor();
    await dialog.getByLabel("API key").fill("lin_api_canary");
    await dialog.getByLabel("Address (optional)").fill(url);
    await button(dialog, "Connect").click();
    const table = page.getByRole("table", { name: "Connections" });
    await table.getByText("Linear, Acme").waitFor();
    broken = true;
    await button(page, "Check Linear now").click();
    await table.getByText("Linear answered 503: Maintenance").waitFor();
    broken = false;
    await button(page, "Check Linear now").click();
    await table.getByText("connected", { exact: true }).waitFor();
    await button(page, "Edit Linear").click();
    const follows = dialog.getByRole("switch", { name: "Issues follow their tickets" });
    assert.equal(await follows.isChecked(), false);
    await follows.press("Space");
    await picture(page, "connection-edit");
    await button(dialog, "Save").click();
    await page.getByText("Connection saved").waitFor();
    await button(page, "Edit Linear").click();
    assert.equal(await follows.isChecked(), true);
  });
  await onPage(server, issue, {}, async (page) => {
    const dialog = page.getByRole("dialog");
    await button(page, "Create ticket…").click();
    await dialog.getByRole("combobox", { name: "Where" }).click();
    await page.getByRole("option", { name: "Shop (SHP)" }).click();
    // On a small screen the part of the page that opened it is folded; the dialog keeps what was typed.
    const note = dialog.getByLabel("Note (optional)");
    await note.fill("Happens at the till");
    await page.setViewportSize({ width: 390, height: 900 });
    await page.getByText("Show trend, releases, users and tags").waitFor();
    assert.equal(await note.inputValue(), "Happens at the till");
    await page.setViewportSize({ width: 1440, height: 900 });
    await button(dialog, "Create ticket").click();
    const tickets = page.getByRole("list", { name: "Tickets" });
    await tickets.getByRole("link", { name: "SHP-1" }).waitFor();
    await tickets.getByText("Todo").waitFor();
  });
});

test("with only a chat connected, an issue is shared, and members see who connects services", { tag: "@pages" }, async () => {
  const [organization] = await server.request("/api/v1/organizations");
  const connections = `/api/v1/organizations/${organization.id}/connections`;
  for (const { id } of (await server.request(connections)).connections) {
    await server.request(`${connections}/${id}`, { method: "DELETE", expect: 204 });
  }
  await server.post(connections, { kind: "slack", display_name: "Chat", token: "xoxb-canary", url }, { expect: 201 });
  const project = await server.project("Chatty");
  const event = await project.sendAndRead({ type: "TypeError", message: "tea is undefined" });
  await onPage(server, `/projects/${project.id}/issues/${event.issue_id}`, {}, async (page) => {
    await page.getByText("No tracker is connected.").waitFor();
    await button(page, "Share…").click();
    const dialog = page.getByRole("dialog", { name: "Share issue" });
    await dialog.getByRole("combobox", { name: "Channel" }).click();
    await page.getByRole("option", { name: "#errors" }).click();
    await button(dialog, "Share").click();
    await page.getByText("Shared").waitFor();
  });
  const { token } = await member(server, "bob@example.com", { name: "Bob" });
  const settings = `/organizations/${organization.id}/settings/connections`;
  await onPage(server, settings, { token, width: 390 }, async (page) => {
    await page.getByText("Connecting services is for owners and admins.").waitFor();
    await page.getByRole("table", { name: "Connections" }).getByText("Slack, Acme chat").waitFor();
    assert.equal(await button(page, "Connect a service…").count(), 0);
  });
});
