// The environment and the period that issues and logs are limited to.

import assert from "node:assert/strict";
import { eventOf, idsOf, sendAll } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, onPage } from "./web.mjs";

let server;

const rows = (page) => page.locator("[data-issue]");
const shown = (page) => rows(page).evaluateAll((all) => all.map((row) => Number(row.dataset.issue)));
const listOf = (project) => `/projects/${project.id}/issues`;

before(async () => {
  server = await sharedServer();
});

test("an environment and a period limit the list, stand in the address, and go along to the logs and back", async () => {
  const project = await server.project("Environments");
  const hours = (count) => new Date(Date.now() - count * 3_600_000).toISOString();
  const events = [
    ...[0, 0, 0].map(() => eventOf(0, { environment: "staging" })),
    eventOf(0, { environment: "production" }),
    ...[0, 0].map(() => eventOf(1, { environment: "production", timestamp: hours(50) })),
    eventOf(2, { environment: "staging", timestamp: hours(300) }),
  ];
  await sendAll(project, events);
  await project.issuesOf(events.length);
  const [newest, older, oldest] = await idsOf(project);
  const address = (page) => Object.fromEntries(new URL(page.url()).searchParams);
  const counts = (page) => rows(page).evaluateAll((all) => all.map((row) => row.querySelector("[title*='event']").textContent));
  await onPage(server, `${listOf(project)}?sort=events`, {}, async (page) => {
    await eventually(() => shown(page), [newest, older, oldest], "by all events");
    const environment = page.getByLabel("Environment", { exact: true });
    await environment.hover();
    await environment.getByRole("option", { name: "production" }).waitFor({ state: "attached" });
    // By the keyboard: a native control finds what is typed.
    await environment.focus();
    await page.keyboard.type("production");
    await eventually(() => address(page), { sort: "events", environment: "production" }, "the address");
    await eventually(() => shown(page), [older, newest], "by events in production");
    assert.deepEqual((await counts(page)).slice(0, 2), ["2", "1"]);
    await page.getByLabel("Period", { exact: true }).selectOption("Last 24 hours");
    await eventually(() => shown(page), [newest], "production in the last day");
    await page.getByRole("img", { name: "1 event in production in the last 24 hours" }).waitFor();
    await page.reload();
    await eventually(() => shown(page), [newest], "after a reload");
    await page.getByLabel("Period", { exact: true }).selectOption("Last 7 days");
    await eventually(() => shown(page), [older, newest], "production in the last week");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Logs", exact: true }).click();
    await page.waitForURL(/\/logs/);
    await eventually(() => address(page), { environment: "production", range: "7d" }, "the address of the logs");
    assert.equal(await page.getByLabel("Environment", { exact: true }).inputValue(), "production");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Issues/ }).click();
    await eventually(() => address(page), { environment: "production", period: "7d" }, "the address of the issues");
  });
});

test("nothing within an environment and a period says so, and leads out", async () => {
  const project = await server.project("Quiet");
  await sendAll(project, [eventOf(0, { environment: "production", timestamp: new Date(Date.now() - 50 * 3_600_000).toISOString() })]);
  await project.issuesOf(1);
  await onPage(server, `${listOf(project)}?environment=production&period=24h`, {}, async (page) => {
    await page.getByRole("heading", { name: "Nothing in production in the last 24 hours" }).waitFor();
    await page.getByRole("button", { name: "Show all environments and times" }).click();
    await eventually(() => rows(page).count(), 1, "rows");
    assert.equal(new URL(page.url()).search, "");
  });
});
