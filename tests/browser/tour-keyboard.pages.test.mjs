// The story's part in the Web app once more, by keyboard alone: nothing here points or clicks.

import assert from "node:assert/strict";
import { Server, owner } from "./server.mjs";
import { claimLink } from "./story.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, holds, openPage } from "./web.mjs";

let server;

before(async () => {
  server = await Server.start({ claim: false });
});
after(() => server?.stop());

/** What has the focus: its name as a screen reader tells it, more or less, and whether one can see that it has. */
const focus = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return { name: "", seen: true };
    const labels = [...(element.labels ?? [])].map(({ textContent }) => textContent).join(" ");
    const style = getComputedStyle(element);
    const around = element.closest("label, [class*=wrapper]");
    const ring = (of) => of && of.outlineStyle !== "none" && Number.parseFloat(of.outlineWidth) > 0;
    const border = ["INPUT", "TEXTAREA"].includes(element.tagName);
    return {
      name: (element.getAttribute("aria-label") ?? (labels || element.textContent) ?? "").trim(),
      seen: border || ring(style) || ring(around && getComputedStyle(around)) || element.id === "main",
    };
  });

/** Tabs on until something of this name has the focus; on the way the focus can always be seen. */
async function tabTo(page, name, key = "Tab") {
  const way = [];
  for (let step = 0; step < 60; step += 1) {
    const { name: at, seen } = await focus(page);
    if (name.test(at)) return;
    assert.ok(seen, `the focus can be seen on “${at}”`);
    way.push(at.slice(0, 40));
    await page.keyboard.press(key);
  }
  assert.fail(`no Tab leads to ${name}: ${way.join(" → ")}`);
}

const heading = (page, name) => page.getByRole("heading", { name }).first().waitFor();
const path = (page) => new URL(page.url()).pathname;

/** Opens the palette, types, and goes down to what has this name. */
async function choose(page, name) {
  await page.keyboard.press("Control+k");
  await holds(page, () => document.activeElement?.getAttribute("aria-label") === "Go to");
  await page.keyboard.type(name);
  await page.getByRole("button", { name, exact: true }).waitFor();
  const selected = () => page.evaluate(() => document.querySelector('[role="dialog"] [data-selected]')?.textContent);
  for (let step = 0; step < 20 && (await selected()) !== name; step += 1) await page.keyboard.press("ArrowDown");
  assert.equal(await selected(), name);
  await page.keyboard.press("Enter");
}

test("claiming, the first project, its first error, and what is done with it need no mouse", async () => {
  const link = claimLink(server);
  const opened = await openPage(link, link.path, { signedIn: false });
  const { page } = opened;
  try {
    await tabTo(page, /^E-mail/);
    await page.keyboard.type(owner.email);
    await tabTo(page, /^Password/);
    await page.keyboard.type(owner.password);
    await tabTo(page, /^Organization/);
    await page.keyboard.type(owner.organization_name);
    await page.keyboard.press("Enter");

    await heading(page, "Your first project");
    await tabTo(page, /^Name/);
    await page.keyboard.type("Shop");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await tabTo(page, /^Create project/);
    await page.keyboard.press("Enter");

    await page.getByText("Waiting for the first event").waitFor();
    await tabTo(page, /^Copy: Key/);
    await page.keyboard.press("Enter");
    await tabTo(page, /^Script tag$/);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("group", { name: "React snippet" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await tabTo(page, /^Send test event/);
    await page.keyboard.press("Enter");
    await page.getByText("Your first event has arrived").waitFor();
    await tabTo(page, /^View event/);
    await page.keyboard.press("Enter");

    await page.waitForURL(/\/projects\/1\/issues\/\d+/);
    await page.getByRole("group", { name: "Actions" }).waitFor();
    await page.keyboard.press("e");
    await page.getByRole("button", { name: "Reopen", exact: true }).waitFor();
    await page.getByRole("alert").filter({ hasText: "Resolved" }).waitFor();
    await page.keyboard.press("e");
    await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
    await page.getByRole("alert").filter({ hasText: "Reopened" }).waitFor();
    await page.keyboard.press("a");
    await holds(page, () => document.activeElement?.getAttribute("placeholder") === "Assign to…");
    await page.getByRole("option").filter({ hasText: owner.email.split("@")[0] }).or(page.getByText(/^Me\b/)).first().waitFor();
    await page.keyboard.press("Escape");
    await holds(page, () => document.activeElement?.textContent.startsWith("Assignee"));
    await tabTo(page, /^Resolve$/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Reopen", exact: true }).waitFor();
    await page.keyboard.press("u");

    await eventually(async () => path(page), "/projects/1/issues", "the address");
    await page.getByRole("heading", { name: "No unresolved issues" }).waitFor();
    await holds(page, () => document.activeElement?.id === "main");
    await page.keyboard.press("/");
    await holds(page, () => document.activeElement?.getAttribute("aria-label") === "Search issues");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("is:resolved");
    await page.keyboard.press("Enter");
    await page.locator("[data-issue]").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await holds(page, () => document.activeElement?.closest("[data-cursor]"));
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/projects\/1\/issues\/\d+/);

    await choose(page, "Project: Keys");
    await eventually(async () => path(page), "/projects/1/settings/keys", "the address");
    await tabTo(page, /^New key…$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New key" }).waitFor();
    await tabTo(page, /^Sending events/);
    await page.keyboard.press("ArrowDown");
    await tabTo(page, /^Create key$/);
    await page.keyboard.press("Enter");
    await page.getByText("I have stored it in a safe place").waitFor();
    await tabTo(page, /^I have stored it/);
    await page.keyboard.press("Space");
    await tabTo(page, /^Done$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Copy your new key" }).waitFor({ state: "hidden" });

    await tabTo(page, /^You:/);
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    await page.keyboard.press("ArrowUp");
    await tabTo(page, /^Sign out$/, "ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/login/);
    opened.check();
  } catch (error) {
    await opened.report(error);
    throw error;
  } finally {
    await opened.close();
  }
});
