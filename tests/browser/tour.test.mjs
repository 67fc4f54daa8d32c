// From the line that the server prints to an error that was read, resolved, and came back: the whole
// story in one, with the mouse.

import assert from "node:assert/strict";
import { Project, Server, owner } from "./server.mjs";
import { Build, marked, places } from "./shop.mjs";
import { claimLink, openShop } from "./story.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, newContext, openPage, picture } from "./web.mjs";

const build = new Build("browser-a");
let server;

before(async () => {
  server = await Server.start({ claim: false });
  const { status } = await server.raw("/client.js", { token: null });
  assert.equal(status, 200, "no client in the server: `npm --prefix assets run build`, then `cargo build`");
});
after(() => server?.stop());

const button = (page, name) => page.getByRole("button", { name, exact: true });
const loadedAt = (page) => page.evaluate(() => performance.timeOrigin);

async function claim(page) {
  for (const [label, text] of [["E-mail", owner.email], ["Your name", owner.name], ["Password", owner.password], ["Organization", owner.organization_name]]) {
    await page.getByLabel(label, { exact: true }).click();
    await page.keyboard.type(text);
  }
  await button(page, "Claim and sign in").click();
  await page.getByRole("heading", { name: "Your first project" }).waitFor();
}

/** Makes the first project, and reads its snippet off the page. */
async function firstProject(page) {
  await page.getByLabel("Name").click();
  await page.keyboard.type("Shop");
  await page.locator("label").filter({ hasText: "Browser JavaScript" }).click();
  await button(page, "Create project").click();
  await page.getByText("Waiting for the first event").waitFor();
  const key = (await page.getByRole("group", { name: "Key", exact: true }).textContent()).trim();
  const snippet = await page.getByRole("group", { name: "Script tag snippet" }).textContent();
  assert.match(key, /^pk_\w+$/);
  assert.ok(snippet.includes(key), "the key is in the snippet");
  return snippet;
}

/** Makes a key for the build in the settings, and reads it off the page. */
async function keyForTheBuild(page) {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
  await page.getByRole("navigation", { name: "Settings" }).getByRole("group", { name: "Project" }).getByRole("link", { name: "Keys" }).click();
  await button(page, "New key…").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Uploading source maps", { exact: true }).click();
  await button(dialog, "Create key").click();
  const key = (await dialog.getByRole("group", { name: "New key" }).textContent()).trim();
  await dialog.getByText("I have stored it in a safe place").click();
  await button(dialog, "Done").click();
  await dialog.waitFor({ state: "hidden" });
  return key;
}

test("from the claim link to an error that is read at its source, resolved, and comes back", async () => {
  const link = claimLink(server);
  const context = await newContext(server, { signedIn: false });
  const opened = await openPage(link, link.path, { context, allow: [401] });
  const { page } = opened;
  let shop;
  try {
    assert.equal(new URL(page.url()).hash, "", "the token does not stay in the address");
    await claim(page);
    const snippet = await firstProject(page);
    await picture(page, "tour-1-start");

    shop = await openShop(server, build, snippet);
    assert.notEqual(shop.origin, link.origin);
    await shop.breakIt();
    await page.getByText("Your first event has arrived").waitFor();
    await page.waitForURL(/\/projects\/1\/issues\/\d+/);
    await page.getByText(/not resolved to source/).first().waitFor();
    await picture(page, "tour-2-minified");

    const key = await keyForTheBuild(page);
    await new Project(server, 1, key).release("1.0.0", "~/", build.maps("~/"));
    await shop.breakIt();

    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Issues" }).click();
    const place = marked(places.price.file, places.price.marker);
    const row = page.locator("[data-issue]").filter({ hasText: `${places.price.function} (` });
    // The first error may have the same name already, by the maps that came late.
    await row.first().getByRole("link").click();
    const source = page.getByRole("group", { name: `Source of ${place.file}:${place.line}` });
    await source.first().waitFor();
    const thrown = await source.first().locator("[data-thrown] code").innerText();
    assert.ok(thrown.includes(place.text.trim()), thrown);
    const frame = page.locator("main button[aria-expanded=true]").filter({ hasText: `${place.file}:${place.line}` }).first();
    assert.match(await frame.innerText(), new RegExp(`^${places.price.function}\\b`));
    for (const line of [...place.before, ...place.after].filter((text) => text.trim() !== "")) {
      assert.ok((await source.first().innerText()).includes(line.trim()), `the line around it: ${line}`);
    }
    await picture(page, "tour-3-resolved-stack");

    const issue = page.url();
    const list = await openPage(link, "/projects/1/issues?query=", { context });
    await button(page, "Resolve").click();
    const actions = page.getByRole("group", { name: "Actions" });
    await button(actions, "Reopen").waitFor();
    // By its id: the maps that came late give the first error the same name.
    const standing = list.page.locator(`[data-issue="${new URL(issue).pathname.split("/").at(-1)}"]`);
    await eventually(async () => /\bresolved\b/.test(await standing.innerText()), true, "resolved, in the list of the other tab");

    const times = [await loadedAt(page), await loadedAt(list.page)];
    await shop.breakIt();
    await page.locator("main header").getByText("regressed").waitFor();
    await eventually(async () => /\bregressed\b/.test(await standing.innerText()), true, "regressed, in the list");
    assert.deepEqual([await loadedAt(page), await loadedAt(list.page)], times, "nothing was loaded anew");
    assert.equal(page.url(), issue);
    await picture(page, "tour-4-regressed");
    opened.check();
    list.check();
  } catch (error) {
    await opened.report(error);
    throw error;
  } finally {
    await shop?.close();
    await context.close();
  }
});
