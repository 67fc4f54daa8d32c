// The pages of agent automation in their states, in each look; each dialog; and what the server's failures look like.

import assert from "node:assert/strict";
import { button, member } from "./people.mjs";
import { ScriptedRunner } from "./scripted-runner.mjs";
import { Server } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { judge } from "./wcag.mjs";
import { eventually, heldBack, matrix, onPage } from "./web.mjs";

const base = "/organizations/1";
const long = "A title that goes on and on, ".repeat(11).slice(0, 300);

let server;
let empty;
let project;
let issue;
/** The automation that has everything, and sessions by how they are. */
let automation;
const sessions = {};

const start = async (body) => (await server.post("/api/sessions", body, { expect: 201 })).session;
const create = async (body) => (await server.post("/api/automations", body)).automation;
const trigger = (body) => server.post(`/api/automations/${automation.id}/triggers`, body, { expect: 201 });

before(async () => {
  [server, empty] = await Promise.all([Server.start(), Server.start()]);
  project = await server.project("Shop");
  await empty.project("Empty");
  const repository = { hostRepoId: "1", hostUrl: "https://git.example/acme/shop.git", hostRepoName: "acme/shop" };
  const { repo } = await server.post("/api/repos", repository);
  await server.post("/api/repos", { ...repository, hostRepoId: "2", hostRepoName: `acme/${"long-name-".repeat(20)}` });
  await server.request(`/api/v1/projects/${project.id}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ repositories: [repo.id] }),
  });
  const made = await server.post("/api/runners", { name: "Workshop", labels: ["linux", "gpu"] }, { expect: 201 });
  await server.post("/api/runners", { name: long.slice(0, 120) }, { expect: 201 });
  const runner = new ScriptedRunner(server, made.token);
  await runner.claim();
  await runner.mirror({ repository_id: repo.id, commit: "0123456" });
  automation = await create({ name: "Look at new errors", agentInstructions: "Find the cause.", modelId: "large" });
  await create({ name: long.slice(0, 120), description: long, enabled: false });
  await trigger({ provider: "errors", name: "New errors", config: { events: ["issue.created"], levels: ["error"] } });
  await trigger({ provider: "schedule", name: "At night", config: { cron: "30 2 * * *", timezone: "Europe/Berlin" } });
  await trigger({ provider: "webhook", name: "Deploys" });
  await trigger({ provider: "github", name: "Comments", config: { events: ["issue_comment"] } });
  await project.sendAndRead({ type: "TypeError", message: "basket is undefined" });
  issue = (await project.issues()).issues[0].id;

  await runner.take();
  await runner.write(["system", "cloned acme/shop"], ["agent", "Reading issue.md\n  and the stack", "stdout"]);
  await runner.write(["agent", `a line without end ${"x".repeat(2_000)}`, "stderr"], ["tool", "npm test"]);
  const url = "https://git.example/acme/shop/pull/7";
  await runner.finish("completed", {
    branch: "mayday/shop-1-01234567",
    head_commit: "0123456789abcdef0123456789abcdef01234567",
    files_changed: [{ path: `src/${"deep/".repeat(30)}basket.js`, added: 1_234_567, removed: 1 }],
    summary: "The basket was read before it was there.",
    pull_request_url: url,
    cost_usd: 1234.5,
  });
  sessions.completed = runner.job.session_id;
  await start({ title: long, prompt: "Look", projectId: project.id, issueId: issue });
  await runner.take();
  await runner.finish("failed", { reason: "the agent ended with exit code 1" });
  sessions.failed = runner.job.session_id;
  await start({ title: "Goes on", prompt: "Look", projectId: project.id });
  await runner.take();
  await runner.write(["agent", "Working", "stdout"]);
  sessions.running = runner.job.session_id;
  sessions.waiting = (await start({ title: "Waits", prompt: "Look", labels: ["windows"] })).id;
});
after(async () => {
  await server?.stop();
  await empty?.stop();
});

const shown = (name) => (page) => page.getByText(name).first().waitFor();

test("without anything, each page says what it is for", async () => {
  await matrix("automations-empty", empty, `${base}/automations`, {}, shown("No automations yet"));
  await matrix("summary-empty", empty, `${base}/automations/summary`, {}, shown("Nothing to sum up yet"));
  await matrix("sessions-empty", empty, `${base}/sessions`, {}, shown("No sessions yet"));
  await matrix("repositories-empty", empty, `${base}/repositories`, {}, shown("No repositories yet"));
  await matrix("runners-empty", empty, `${base}/runners`, {}, shown("No runners yet"));
  await matrix("project-repositories-empty", empty, "/projects/1/settings/repositories", {}, shown("No repositories yet"));
});

test("lists, full", async () => {
  await matrix("automations", server, `${base}/automations`, {}, shown("Look at new errors"));
  await matrix("summary", server, `${base}/automations/summary`, {}, shown("Agent time"));
  await matrix("sessions", server, `${base}/sessions`, {}, shown("Waits"));
  await matrix("sessions-filtered", server, `${base}/sessions?status=paused`, {}, shown("No matching sessions"));
  await matrix("repositories", server, `${base}/repositories`, {}, shown("acme/shop"));
  await matrix("runners", server, `${base}/runners`, {}, shown("Workshop"));
  await matrix("project-repositories", server, `/projects/${project.id}/settings/repositories`, {}, shown("acme/shop"));
});

test("each tab of an automation in each look", async () => {
  const at = (tab = "") => `${base}/automations/${automation.id}${tab}`;
  await matrix("automation", server, at(), {}, (page) => page.getByLabel("Instructions").waitFor());
  await matrix("automation-triggers", server, at("#triggers"), {}, shown("Deploys"));
  await matrix("automation-calls", server, at("#calls"), {}, shown("New issue"));
  await matrix("automation-sessions", server, at("#sessions"), {}, (page) => page.getByRole("table", { name: "Sessions" }).waitFor());
  await matrix("automation-gone", server, `${base}/automations/nothing`, { allow: [404] }, shown("Automation not found"));
});

test("each state of a session in each look", async () => {
  const at = (id) => `${base}/sessions/${id}`;
  const written = (words) => (page) => page.getByRole("log").getByText(words).first().waitFor();
  await matrix("session-completed", server, at(sessions.completed), {}, async (page) => {
    await written("Reading issue.md")(page);
    // Nobody knows what host it is, so where its branches have their pages.
    const link = page.getByRole("region", { name: "At a glance" }).getByRole("link", { name: "acme/shop" });
    assert.equal(await link.getAttribute("href"), "https://git.example/acme/shop");
  });
  await matrix("session-failed", server, at(sessions.failed), {}, shown("exit code 1"));
  await matrix("session-running", server, at(sessions.running), {}, written("Working"));
  await matrix("session-waiting", server, at(sessions.waiting), {}, shown("waits for a runner"));
  await matrix("session-gone", server, at("nothing"), { allow: [404] }, shown("Session not found"));
});

test("a phone shows one part of a session at a time, the outcome first of what has ended, and stops it from its bottom", async () => {
  const part = (page, name) => page.getByRole("radiogroup", { name: "Part of the session" }).getByText(name, { exact: true });
  const log = (page) => page.getByRole("log", { name: "Transcript" });
  await onPage(server, `${base}/sessions/${sessions.completed}`, { width: 390 }, async (page) => {
    const facts = page.getByRole("complementary", { name: "About this session" });
    await facts.getByText("The basket was read before it was there.").waitFor();
    assert.equal(await log(page).isVisible(), false);
    await part(page, "Transcript").click();
    await log(page).getByText("Reading issue.md").waitFor();
    assert.equal(await facts.isVisible(), false);
    await part(page, "Steps").click();
    await log(page).waitFor({ state: "hidden" });
    // A step leads to its entry.
    await page.getByRole("region", { name: "Timeline" }).getByRole("button").first().press("Enter");
    await log(page).waitFor();
    assert.equal(await button(page, "Stop…").count(), 0, "what has ended cannot be stopped");
    const hidden = page.getByRole("complementary", { name: "About this session", includeHidden: true });
    const isFirst = await hidden.evaluate((side) => !side.previousElementSibling?.textContent);
    assert.ok(isFirst, "the keyboard comes to the outcome first, too");
  });
  await onPage(server, `${base}/sessions/${sessions.running}`, { width: 390, height: 500 }, async (page) => {
    await log(page).getByText("Working").waitFor();
    assert.equal(await button(page, "Stop…").count(), 1);
    for (const name of ["Transcript", "Outcome"]) {
      await part(page, name).click();
      await page.evaluate(() => scrollTo(0, 0));
      const { y, height } = await button(page, "Stop…").boundingBox();
      assert.ok(y > 250 && y + height <= 500, `from ${y}, ${height} px high`);
    }
    // What is written can be sent: the button that stops stands below the one that sends.
    await part(page, "Transcript").click();
    const message = page.getByLabel("Message to the agent");
    await message.fill("Look at the basket first");
    await button(page, "Send").scrollIntoViewIfNeeded();
    const [send, stop] = await Promise.all(["Send", "Stop…"].map((name) => button(page, name).boundingBox()));
    assert.ok(send.y + send.height <= stop.y, `sent at ${send.y}, stopped at ${stop.y}`);
    await message.fill("");
    await button(page, "Stop…").click();
    await page.getByRole("dialog", { name: "Stop session?" }).waitFor();
    await page.keyboard.press("Escape");
  });
  // On a screen that is higher than a part of the page, the button stands at its bottom, too.
  await onPage(server, `${base}/sessions/${sessions.running}`, { width: 390, height: 1200 }, async (page) => {
    await log(page).getByText("Working").waitFor();
    const bar = (await page.getByRole("navigation").last().boundingBox()).y;
    for (const name of ["Transcript", "Steps", "Outcome"]) {
      await part(page, name).click();
      const { y, height } = await button(page, "Stop…").boundingBox();
      assert.ok(bar - y - height >= 0 && bar - y - height < 16, `${name}: from ${y}, ${height} px high, above ${bar}`);
    }
  });
});

test("what somebody reads of a session stays where it is when the window becomes narrower", async () => {
  await onPage(server, `${base}/sessions/${sessions.completed}`, {}, async (page) => {
    const log = page.getByRole("log", { name: "Transcript" });
    await log.locator("[data-block]").filter({ hasText: "npm test" }).waitFor();
    await log.evaluate((box) => {
      Object.assign(box.style, { maxHeight: "3rem", overflowAnchor: "none" });
      box.tabIndex = 0;
      box.focus();
      box.scrollTop = 20;
    });
    const facts = page.getByRole("complementary", { name: "About this session" });
    const isBefore = (side, box) => (side.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
    const isFirst = async () => facts.evaluate(isBefore, await log.elementHandle());
    const stands = () => log.evaluate((box) => [document.activeElement === box, box.scrollTop]);
    const expected = [true, 20];
    assert.deepEqual(await stands(), expected);
    for (const [width, first] of [[900, true], [1440, false]]) {
      await page.setViewportSize({ width, height: 900 });
      await eventually(isFirst, first, `the outcome comes first at ${width} px`);
      assert.deepEqual(await stands(), expected);
    }
  });
});

test("a transcript is filtered, and each of its entries has an address", async () => {
  const path = `${base}/sessions/${sessions.completed}`;
  const entries = (page) => page.getByRole("log").locator("[data-block]");
  let address;
  await onPage(server, path, {}, async (page) => {
    await entries(page).filter({ hasText: "npm test" }).waitFor();
    const log = page.getByRole("log");
    await log.evaluate((box) => {
      box.style.maxHeight = "4rem";
      box.scrollTop = box.scrollHeight;
    });
    await log.evaluate((box) => (box.scrollTop = 0));
    await button(page, "To the end").press("Enter");
    await button(page, "To the end").waitFor({ state: "detached" });
    assert.equal(await log.evaluate((box) => box === document.activeElement), true, "the focus is not lost with the button");
    await log.evaluate((box) => (box.style.maxHeight = ""));
    await button(page, "Skip the transcript").press("Enter");
    await page.keyboard.press("Tab");
    assert.equal(await log.evaluate((box) => box.contains(document.activeElement)), false, "the entries are skipped");
    const show = (name) => page.getByRole("radiogroup", { name: "Show in the transcript" }).getByText(name, { exact: true }).click();
    await show("Commands");
    await eventually(async () => (await entries(page).locator("pre").allInnerTexts()).join(), "npm test", "commands");
    await show("Errors");
    await eventually(() => entries(page).count(), 1, "errors");
    assert.match(await entries(page).innerText(), /a line without end/);
    await show("Words");
    await entries(page).filter({ hasText: "a line without end" }).waitFor({ state: "detached" });
    assert.equal(await entries(page).filter({ hasText: "npm test" }).count(), 0);
    await entries(page).filter({ hasText: "Reading issue.md" }).getByRole("link").click();
    await eventually(() => new URL(page.url()).hash.replace(/\d+/, "…"), "#entry-…", "the address of an entry");
    address = new URL(page.url());
    await eventually(() => page.evaluate(() => document.activeElement?.dataset.block), address.hash.replace("#entry-", ""), "the focus");
    assert.equal(await entries(page).filter({ hasText: "npm test" }).count(), 0, "the filter that shows the entry stays");
  });
  await onPage(server, path + address.hash, {}, async (page) => {
    const id = address.hash.replace("#entry-", "");
    await eventually(() => page.evaluate(() => document.activeElement?.dataset.block), id, "the entry of the address");
  });
});

test("agents on the page of an issue", async () => {
  const at = `/projects/${project.id}/issues/${issue}`;
  await matrix("issue-agents", server, `${at}#agents`, {}, (page) => page.getByRole("table", { name: "Sessions" }).waitFor());
  await project.sendAndRead({ type: "RangeError", message: "quiet" }, { level: "info" });
  const { issues } = await project.issues();
  const quiet = issues.find(({ title }) => title.includes("quiet")).id;
  await matrix("issue-no-agents", server, `/projects/${project.id}/issues/${quiet}#agents`, {}, shown("No agent has looked"));
  await matrix("issue-ask", server, at, {}, async (page) => {
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Let an agent look at it…" }).click();
    await button(page, "Show what it gets").click();
    await page.getByText("untrusted/stack.md", { exact: true }).waitFor();
  });
});

/** Name, page, what opens it and what is in it. */
const dialogs = [
  ["new-automation", () => "/automations", "New automation…", "Begin with"],
  ["new-repository", () => "/repositories", "Add repository…", "Clone address"],
  ["remove-repository", () => "/repositories", "Remove acme/shop", "Remove repository?"],
  ["new-runner", () => "/runners", "New runner…", "Of the machine"],
  ["delete-runner", () => "/runners", "Delete Workshop", "Delete runner?"],
  ["stop-session", () => `/sessions/${sessions.running}`, "Stop…", "Stop session?"],
  ["take-over-session", () => `/sessions/${sessions.running}`, "Take over…", "Nothing has been pushed."],
  ["delete-session", () => `/sessions/${sessions.failed}`, "Delete…", "Delete session?"],
  ["delete-automation", () => `/automations/${automation.id}`, "Delete automation…", "Delete automation?"],
  ["new-trigger", () => `/automations/${automation.id}#triggers`, "New trigger…", "Comes from"],
  ["edit-errors", () => `/automations/${automation.id}#triggers`, "Edit New errors", "When an issue"],
  ["edit-schedule", () => `/automations/${automation.id}#triggers`, "Edit At night", "Next calls"],
  ["edit-github", () => `/automations/${automation.id}#triggers`, "Edit Comments", "Phrase"],
  ["delete-trigger", () => `/automations/${automation.id}#triggers`, "Delete Deploys", "Delete trigger?"],
];

for (const [name, path, opens, says] of dialogs) {
  test(`the dialog ${name}`, async () => {
    await onPage(server, base + path(), {}, async (page) => {
      await button(page, opens).click();
      await page.getByRole("dialog").getByText(says).first().waitFor();
      await judge(page, `automate-${name}`, [1440, 390]);
    });
  });
}

test("what is shown only once", async () => {
  await matrix("runner-made", server, `${base}/runners`, { fresh: true }, async (page) => {
    await button(page, "New runner…").click();
    await page.getByRole("dialog").getByLabel("Name").fill("Another");
    await button(page, "Create runner").click();
    await page.getByText("mayday runner --url").waitFor();
  });
  await matrix("trigger-made", server, `${base}/automations/${automation.id}#triggers`, { fresh: true }, async (page) => {
    await button(page, "New trigger…").click();
    await page.getByRole("combobox", { name: "Comes from" }).click();
    await page.getByRole("option", { name: "A webhook" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Hook");
    await button(page, "Create trigger").click();
    await page.getByText("curl -sS").waitFor();
  });
  await matrix("dry-run", server, `${base}/automations/${automation.id}`, {}, async (page) => {
    await button(page, "Try or run…").click();
    await button(page, "Dry run").click();
    await page.getByRole("group", { name: "Instructions" }).waitFor();
  });
});

test("members look at everything, and are told who changes it", async () => {
  const { token } = await member(server, "bob@example.com", { name: "Bob" });
  const changing = /^(New|Add|Edit|Delete|Remove|Save)/;
  for (const [name, path] of [
    ["automations", "/automations"],
    ["automation", `/automations/${automation.id}`],
    ["repositories", "/repositories"],
    ["runners", "/runners"],
  ]) {
    await matrix(`member-${name}`, server, base + path, { token }, async (page) => {
      await page.getByText("for owners and admins").waitFor();
      assert.equal(await page.getByRole("main").getByRole("button", { name: changing }).count(), 0, path);
    });
  }
});

test("what cannot be loaded says so, and what is being loaded has its shape", async () => {
  const failing = { "/automations": "automations", "/sessions": "sessions", "/repositories": "repos", "/runners": "runners" };
  for (const [path, resource] of Object.entries(failing)) {
    const routes = (page) =>
      page.route(new RegExp(`/api/${resource}(\\?|$)`), (route) => route.fulfill({ status: 500, json: { error: "Out of order", code: "INTERNAL" } }));
    await matrix(`failed-${resource}`, server, base + path, { routes, allow: [500] }, shown("could not be loaded"));
    const late = (page) => heldBack(page, new RegExp(`/api/${resource}(\\?|$)`));
    await matrix(`late-${resource}`, server, base + path, { routes: late, wait: false }, (page) =>
      page.locator('main [aria-busy="true"]').first().waitFor(),
    );
  }
});
