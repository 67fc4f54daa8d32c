// The settings of a project, and what they change.

import assert from "node:assert/strict";
import { Project, sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, onPage } from "./web.mjs";

let server;

const button = (page, name) => page.getByRole("button", { name, exact: true });
const settings = (project, section) => `/projects/${project.id}/settings/${section}`;

before(async () => {
  server = await sharedServer();
  await server.project("Other");
});

test("a new name is kept and shown everywhere; leaving without saving is asked about", async () => {
  const project = await server.project("Old name");
  await onPage(server, settings(project, "general"), {}, async (page) => {
    await page.getByLabel("Name", { exact: true }).fill("New name");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Issues" }).click();
    const ask = page.getByRole("dialog", { name: "Leave without saving?" });
    await ask.waitFor();
    await page.keyboard.press("Escape");
    await ask.waitFor({ state: "hidden" });
    await button(page, "Save").click();
    await page.getByRole("button", { name: "Project: New name" }).waitFor();
    assert.equal((await server.request(`/api/v1/projects/${project.id}`)).name, "New name");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Issues" }).click();
    await page.waitForURL(/\/issues$/);
  });
});

test("a form is sent once, says so when that takes long, keeps what was typed when it fails, and shows a refusal at its field", async () => {
  const project = await server.project("Held");
  await onPage(server, settings(project, "general"), { allow: [422, 503] }, async (page) => {
    const sent = [];
    let release;
    const held = new Promise((resolve) => (release = resolve));
    const answers = [{ status: 503, json: { detail: "Not now" } }, { status: 422, json: { detail: "name: expected another one" } }];
    await page.route(`**/api/v1/projects/${project.id}`, async (route) => {
      if (route.request().method() !== "PATCH") return route.fallback();
      sent.push(route.request().postDataJSON().name);
      await held;
      return answers.length > 0 ? route.fulfill(answers.shift()) : route.fallback();
    });
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Let go");
    await name.press("Enter");
    await button(page, "Saving…").waitFor();
    await name.press("Enter");
    await button(page, "Saving…").click({ force: true });
    release();
    await page.getByRole("alert").filter({ hasText: "Not now" }).waitFor();
    assert.deepEqual(sent, ["Let go"], "sent once");
    assert.equal(await name.inputValue(), "Let go");
    await button(page, "Save").click();
    await page.getByText("Expected another one.").waitFor();
    assert.equal(await name.getAttribute("aria-invalid"), "true");
    await eventually(() => name.evaluate((input) => input === document.activeElement), true, "the focus");
    assert.equal(await page.getByText("Not now").count(), 0);
    await button(page, "Save").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    assert.equal(await button(page, "Save").isDisabled(), true, "nothing is left to save");
  });
});

test("a key that may only send can be copied again, also into the snippets; one that uploads is shown once", async () => {
  const project = await server.project("Kept keys");
  let key;
  await onPage(server, settings(project, "keys"), {}, async (page) => {
    await button(page, "New key…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Shop page");
    await button(dialog, "Create key").click();
    key = (await dialog.getByRole("group", { name: "New key" }).textContent()).trim();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await button(page, "Copy key Shop page").waitFor();
    assert.ok(!(await page.locator("body").innerText()).includes(key));
    await button(page, "New key…").click();
    await dialog.getByRole("radio", { name: /^Uploading source maps/ }).check();
    await button(dialog, "Create key").click();
    await dialog.getByText("so it cannot be shown again").waitFor();
    await dialog.getByText("I have stored it in a safe place").click();
    await button(dialog, "Done").click();
    await page.getByRole("table", { name: "Keys" }).getByText("CI", { exact: true }).waitFor();
    assert.equal(await button(page, "Copy key CI").count(), 0);
  });
  // A tab that has not made it.
  await onPage(server, `/projects/${project.id}/start`, {}, async (page) => {
    await page.getByRole("group", { name: /snippet$/ }).first().getByText(key).first().waitFor();
  });
});

test("a key is shown once, works, and works no more when it is revoked", async () => {
  const project = await server.project("Keys");
  await onPage(server, settings(project, "keys"), {}, async (page) => {
    await button(page, "New key…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Phone app");
    await dialog.getByRole("radio", { name: /^Custom/ }).check();
    await dialog.getByRole("checkbox", { name: /^Read/ }).check();
    await button(dialog, "Create key").click();
    const key = (await dialog.getByRole("group", { name: "New key" }).textContent()).trim();
    await page.keyboard.press("Escape");
    assert.equal(await dialog.isVisible(), true, "what is shown once is not closed by a stray key");
    await dialog.getByText("I have stored it in a safe place").click();
    await button(dialog, "Done").click();
    await dialog.waitFor({ state: "hidden" });
    assert.ok(!(await page.locator("body").innerText()).includes(key));

    const sender = new Project(server, project.id, key);
    await sender.send({ type: "E", message: "by the new key" });
    await button(page, "Revoke Phone app").click();
    await dialog.getByRole("textbox").fill("Phone app");
    await button(dialog, "Revoke key").click();
    await page.getByText("Key Phone app revoked").waitFor();
    await assert.rejects(sender.send({ type: "E", message: "too late" }), /got 401/);
    await page.getByText("1 revoked key").click();
    await page.getByRole("table", { name: "Revoked keys" }).getByText("Phone app").waitFor();
  });
});

test("a name that is to be scrubbed is scrubbed from then on", async () => {
  const project = await server.project("Scrubbing");
  const extra = { shoe_size: "forty-two", colour: "blue" };
  const before = await project.sendAndRead({ type: "E", message: "before" }, { extra });
  assert.equal(before.extra.shoe_size, "forty-two");
  await onPage(server, settings(project, "scrubbing"), {}, async (page) => {
    await page.getByRole("combobox", { name: /^Also remove the values/ }).click();
    await page.keyboard.type("shoe_size");
    await page.keyboard.press("Enter");
    await button(page, "Save").click();
    // Intake knows of it when the page is answered, a moment after it can be read.
    await page.getByText("Saved", { exact: true }).waitFor();
    await eventually(async () => (await server.request(`/api/v1/projects/${project.id}`)).settings.scrubbing.keys, ["shoe_size"], "the names");
    const after = await project.sendAndRead({ type: "E", message: "after" }, { extra });
    assert.equal(after.extra.shoe_size, "[Filtered]");
    assert.equal(after.extra.colour, "blue");
  });
});

test("an issue of an account that is named in the settings stands out in the list", async () => {
  const project = await server.project("High value");
  await onPage(server, settings(project, "high-value"), {}, async (page) => {
    await page.getByRole("combobox", { name: /^Names of accounts/ }).click();
    await page.keyboard.type("*");
    await page.keyboard.press("Enter");
    await page.getByText("matches every account").waitFor();
    await page.keyboard.press("Backspace");
    await page.keyboard.type("acme*");
    await page.keyboard.press("Enter");
    await button(page, "Save").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await project.sendAndRead({ type: "E", message: "of others" }, { account: { id: "1", name: "Example" } });
    await project.sendAndRead({ type: "E", message: "of theirs" }, { account: { id: "2", name: "ACME Ltd" } });
    await page.getByRole("link", { name: "high-value", exact: true }).click();
    await page.getByRole("link", { name: "E: of theirs" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "E: of others" }).count(), 0);
    await page.getByTitle("Affects a high-value account: ACME Ltd").waitFor();
  });
});

test("the limits page names full facets, and shows dots for what is not known yet", async () => {
  const project = await server.project("Full tags");
  const usage = await server.request(`/api/v1/projects/${project.id}/usage`);
  const facets = { ...usage.facets, environments: 100_000, full_tags: ["order"] };
  const asked = [];
  const routes = (page) => page.route(/\/usage$/, (route) => void asked.push(route));
  const use = (page) => page.getByRole("region", { name: "In use" });
  const label = (page, name) => use(page).locator("dt").getByText(name, { exact: true }).locator("xpath=following-sibling::dd[1]");
  await onPage(server, settings(project, "limits"), { routes, allow: [403] }, async (page) => {
    for (const name of ["On the disk", "Environments", "Releases", "Tags", "Tag values"])
      await eventually(() => label(page, name).innerText(), "…", name);
    await eventually(() => asked.length, 1, "requests");
    await asked[0].fulfill({ json: { ...usage, facets } });
    await eventually(() => label(page, "Environments").innerText(), "100,000 of 100,000", "environments");
    const words = "This project has reached the limit for environments, values of the tag order. Events keep any further ones, but these are not counted, and searches do not find them.";
    await eventually(() => use(page).getByRole("status").innerText(), words, "what is full");
    await page.reload();
    await eventually(() => asked.length, 2, "requests after a reload");
    await asked[1].fulfill({ status: 403, json: { detail: "no" } });
    await eventually(() => label(page, "Tag values").innerText(), "unknown", "what cannot be asked");
    assert.equal(await use(page).getByRole("status").innerText(), "");
  });
});

test("a project is deleted by its name, and the next one opens", async () => {
  const project = await server.project("To be gone");
  await onPage(server, settings(project, "general"), { allow: [403, 404] }, async (page) => {
    await button(page, "Delete project…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("To be");
    assert.equal(await button(dialog, "Delete project").isDisabled(), true);
    await dialog.getByRole("textbox").fill("To be gone");
    await button(dialog, "Delete project").click();
    await page.waitForURL(/\/projects\/\d+\/issues$/);
    await page.getByText("Project To be gone deleted").waitFor();
    await server.request(`/api/v1/projects/${project.id}`, { expect: [403, 404] });
  });
});
