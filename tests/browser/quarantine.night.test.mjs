// Events that could not be digested: the notice on the list, the settings that show them, and what
// becomes of one that is tried again or deleted.

import assert from "node:assert/strict";
import { Server, until } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { matrix, onPage, pictures } from "./web.mjs";

let server;
let shop;
let calm;

const button = (page, name) => page.getByRole("button", { name, exact: true });
const settings = (project) => `/projects/${project.id}/settings/set-aside`;
const table = (page) => page.getByRole("table", { name: "Events in quarantine" });
const listed = (project, total) =>
  until(`${total} events are set aside`, async () => {
    const list = await server.request(`/api/v1/projects/${project.id}/set-aside`);
    return list.total === total ? list : undefined;
  });

before(async () => {
  server = await Server.start({ variables: { MAYDAY_SABOTAGE: "set_aside_all" } });
  [shop, calm] = [await server.project("Shop"), await server.project("Calm")];
  for (let index = 0; index < 60; index += 1) {
    const message = index === 59 ? "<img src=x onerror=alert(1)>" : `number ${index}`;
    await shop.send({ type: "TypeError", message }, { event_id: `event-${index}`, extra: { cart: [{ sku: "TEA-01" }] } });
  }
  await listed(shop, 60);
});
after(() => server?.stop());

test("nothing is said where nothing is set aside", async () => {
  await matrix("set-aside-none", server, settings(calm), {}, (page) => page.getByRole("heading", { name: "No events in quarantine" }).waitFor());
  await onPage(server, `/projects/${calm.id}/issues`, {}, async (page) => {
    await page.getByRole("heading", { name: "No errors yet" }).waitFor();
    assert.equal(await page.getByText("could not be processed").count(), 0);
  });
});

test("the list of issues leads to them, and they tell why and what was accepted", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    await page.getByRole("note").getByText("60 events could not be processed and belong to no issue.").waitFor();
    await pictures(page, "set-aside-notice");
    await page.getByRole("link", { name: "See why" }).click();
    await page.waitForURL(/\/settings\/set-aside$/);
    await table(page).waitFor();
    await page.getByText("50 of 60 events").waitFor();
    await button(page, "Show older events").click();
    await page.getByText("60 of 60 events").waitFor();
  });
  await matrix("set-aside", server, settings(shop), {}, async (page) => {
    await button(page, "Details of event-59").click();
    await page.getByRole("heading", { name: "The event as it was accepted" }).waitFor();
    await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
  });
});

test("one that fails again says so and stays; one that is deleted goes", async () => {
  await onPage(server, settings(shop), {}, async (page) => {
    await button(page, "Retry event-58").click();
    await page.getByText("Event event-58 failed again: sabotaged: all events are set aside").waitFor();
    await page.getByText("50 of 60 events").waitFor();
    await button(page, "Delete event-57").click();
    const dialog = page.getByRole("dialog", { name: "Delete event?" });
    await button(dialog, "Delete event").click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText("50 of 59 events").waitFor();
    assert.equal(await button(page, "Delete event-57").count(), 0);
  });
});

test("what cannot be loaded can be tried again", async () => {
  const fail = (page) => page.route(/\/set-aside\?/, (route) => route.fulfill({ status: 422, json: { detail: "Not now" } }));
  await onPage(server, settings(calm), { routes: fail, allow: [422] }, async (page) => {
    await page.getByRole("heading", { name: "The events could not be loaded" }).waitFor();
    await page.unroute(/\/set-aside\?/);
    await button(page, "Try again").click();
    await page.getByRole("heading", { name: "No events in quarantine" }).waitFor();
  });
});

test("once the server is mended one becomes an event, and the rest is deleted by the project's name", async () => {
  await server.goAway();
  delete server.env.MAYDAY_SABOTAGE;
  await server.comeBack();
  await onPage(server, settings(shop), {}, async (page) => {
    await button(page, "Retry event-56").click();
    await page.getByText("Event event-56 was processed and is in its issue").waitFor();
    assert.equal((await shop.event("event-56")).exception.message, "number 56");
    await page.getByText("50 of 58 events").waitFor();
    await button(page, "Delete all…").click();
    const dialog = page.getByRole("dialog", { name: "Delete all events in quarantine?" });
    await dialog.getByRole("textbox").fill("Shop");
    await button(dialog, "Delete all").click();
    await page.getByText("58 events deleted").waitFor();
    await page.getByRole("heading", { name: "No events in quarantine" }).waitFor();
  });
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    await page.locator("[data-issue]").first().waitFor();
    assert.equal(await page.getByText("could not be processed").count(), 0);
  });
});
