// What stands around every page: navigation, shortcuts, appearance, and pages that are not there.

import assert from "node:assert/strict";
import { fill } from "./seed.mjs";
import { Server } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, heldBack, holds, matrix, newContext, onPage, openPage, pictures, settled } from "./web.mjs";

let server;
let shop;
let depot;

const rows = (page) => page.locator("[data-issue]");
const path = (page) => new URL(page.url()).pathname;
const nav = (page) => page.getByRole("navigation", { name: "Main" });
const focused = (page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
const atPath = (page, wanted) => eventually(async () => path(page), wanted, "the address");

before(async () => {
  server = await Server.start();
  shop = await server.project("Shop");
  depot = await server.project("Depot");
  await fill(shop, 3, () => ({ exception: { message: "cart is empty" } }));
  await fill(depot, 2, () => ({ exception: { message: "shelf is full" } }));
});
after(() => server?.stop());

test("the project switcher leads to another project, and the next visit begins there", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    await page.getByRole("button", { name: "Project: Shop" }).click();
    await eventually(() => page.getByRole("menuitem").allInnerTexts(), ["Depot", "Shop", "New project"]);
    await page.getByRole("menuitem", { name: "Depot" }).click();
    await atPath(page, `/projects/${depot.id}/issues`);
    await page.getByText("E: shelf is full").or(page.getByText("TypeError: shelf is full")).first().waitFor();
    assert.equal(await rows(page).count(), 2);
    await page.goto(server.origin);
    await settled(page);
    await atPath(page, `/projects/${depot.id}/issues`);
    await page.getByRole("button", { name: "Project: Depot" }).waitFor();
  });
});

test("the navigation names the current page and counts what is unresolved", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    assert.equal(await nav(page).locator('[aria-current="page"]').innerText(), "Issues\n3");
    await nav(page).getByRole("link", { name: "Settings" }).click();
    await atPath(page, `/projects/${shop.id}/settings/general`);
    assert.equal(await nav(page).locator('[aria-current="page"]').innerText(), "Settings");
    await eventually(() => page.title(), "General · Project settings · Mayday", "the tab's title");
  });
});

test("the palette opens by its key, filters, and goes", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    const field = page.getByRole("textbox", { name: "Go to" });
    const open = async () => {
      await page.keyboard.press("Control+k");
      await field.waitFor();
      await holds(page, () => document.activeElement?.getAttribute("aria-label") === "Go to");
    };
    await open();
    const all = await page.getByRole("dialog").getByRole("button").or(page.getByRole("option")).count();
    await page.keyboard.type("keys");
    await holds(page, () => !document.querySelector('[role="dialog"]')?.textContent.includes("Releases"));
    assert.ok(all > 8, `${all} actions`);
    await page.getByRole("button", { name: "Project: Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "hidden" });

    await open();
    await field.fill("Releases");
    const selected = () => page.evaluate(() => document.querySelector('[role="dialog"] [data-selected]')?.textContent);
    for (let step = 0; step < 5 && (await selected()) !== "Releases"; step += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await atPath(page, `/projects/${shop.id}/releases`);
    await page.goBack();

    await open();
    await field.fill("cart");
    await page.getByText("Search issues for “cart”").click();
    await page.waitForURL(`${server.origin}/projects/${shop.id}/issues?query=cart`);
    await rows(page).nth(2).waitFor();

    await open();
    await field.fill("depot");
    await page.getByRole("dialog").getByText("Depot", { exact: true }).click();
    await atPath(page, `/projects/${depot.id}/issues`);
  });
});

test("an issue of any project is gone to by its short id", async () => {
  const other = await server.project("Billing desk");
  await other.sendAndRead({ type: "ChargeFailed", message: "card declined" });
  const [issue] = (await server.request(`/api/v1/projects/${other.id}/issues`)).issues;
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("textbox", { name: "Go to" }).fill(issue.short_id.toLowerCase());
    await page.getByRole("dialog").getByText("ChargeFailed").click();
    await atPath(page, `/projects/${other.id}/issues/${issue.id}`);
  });
});

test("the palette finds issues, releases and people by words, and its field stays where it is", async () => {
  const project = await server.project("Found by words");
  await project.createRelease("basket-7.1", "~/");
  await project.sendAndRead({ type: "BasketError", message: "the basket is empty" });
  const [issue] = (await server.request(`/api/v1/projects/${project.id}/issues`)).issues;
  await onPage(server, `/projects/${project.id}/issues`, {}, async (page) => {
    const field = page.getByRole("textbox", { name: "Go to" });
    const dialog = page.getByRole("dialog");
    await page.keyboard.press("Control+k");
    await field.waitFor();
    const top = (await field.boundingBox()).y;
    await field.fill("basket");
    await dialog.getByText(`${issue.short_id} BasketError`).waitFor();
    assert.equal((await field.boundingBox()).y, top, "where the field is with few results");
    await dialog.getByRole("button", { name: "basket-7.1" }).waitFor();
    await field.fill("example.com");
    await dialog.getByText(/^Issues assigned to /).first().waitFor();
    await field.fill("is empty");
    await dialog.getByText(`${issue.short_id} BasketError`).waitFor();
    await page.keyboard.press("Enter");
    await atPath(page, `/projects/${project.id}/issues/${issue.id}`);
  });
});

test("the palette goes to agents and to the settings of the instance", async () => {
  const ways = [["runners", "Runners", /\/runners$/], ["restore schedule", "Instance: Backups", /\/instance\/backups$/]];
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    for (const [words, name, path] of ways) {
      await page.keyboard.press("Control+k");
      await page.getByRole("textbox", { name: "Go to" }).fill(words);
      await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
      await page.waitForURL(path);
    }
  });
});

test("a search of the palette that fails says so, and is tried again", async () => {
  const isSearch = (url) => url.pathname.endsWith("/issues") && url.searchParams.get("query") === "broken";
  await onPage(server, `/projects/${shop.id}/issues`, { allow: [503] }, async (page) => {
    await page.route(isSearch, (route) => route.fulfill({ status: 503, json: { detail: "Busy." } }));
    await page.keyboard.press("Control+k");
    await page.getByRole("textbox", { name: "Go to" }).fill("broken");
    const again = page.getByRole("button", { name: /^Search again/ });
    await again.getByText("Busy.").waitFor({ timeout: 20_000 });
    await page.unroute(isSearch);
    await again.click();
    await again.waitFor({ state: "hidden" });
    await page.getByText("Search issues for “broken”").waitFor();
  });
});

test("an issue that is found late is what Enter opens, unless the mark was moved", async () => {
  const project = await server.project("Late answers");
  await project.sendAndRead({ type: "LateError", message: "found at last" });
  const [issue] = (await server.request(`/api/v1/projects/${project.id}/issues`)).issues;
  await onPage(server, `/projects/${project.id}/issues`, {}, async (page) => {
    const field = page.getByRole("textbox", { name: "Go to" });
    const marked = () => page.evaluate(() => document.querySelector('[role="dialog"] [data-selected]')?.textContent);
    const named = (url) => url.pathname.endsWith("/issues") && url.searchParams.get("query") === issue.short_id;
    const search = `Search issues for “${issue.short_id}”`;
    for (const moved of [true, false]) {
      const held = await heldBack(page, named);
      await page.keyboard.press("Control+k");
      await field.fill(issue.short_id);
      await eventually(marked, search, "what is marked before the answer");
      if (moved) await page.keyboard.press("ArrowDown");
      const logs = `Search logs for “${issue.short_id}”`;
      held.go();
      await page.getByRole("dialog").getByText("LateError").waitFor();
      await eventually(marked, moved ? logs : `${issue.short_id} LateError: found at last`, "what is marked after it");
      if (!moved) break;
      await page.keyboard.press("ArrowUp");
      await eventually(marked, search, "what is above it");
      await page.reload();
      await settled(page);
    }
    await page.keyboard.press("Enter");
    await atPath(page, `/projects/${project.id}/issues/${issue.id}`);
  });
});

test("the palette and the help are whole and accessible", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    await page.keyboard.press("Control+k");
    await page.getByText("Appearance: dark").waitFor();
    await pictures(page, "palette");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await pictures(page, "help");
  });
});

test("the help lists the shortcuts of the page, and no shortcut works beneath it", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    for (const words of ["Everywhere", "Issue list", "Next issue", "Resolve", "Go to anything"]) await help.getByText(words, { exact: true }).waitFor();
    await page.keyboard.press("j");
    assert.equal(await page.locator("[data-cursor]").count(), 0);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "hidden" });
    await page.keyboard.press("j");
    await page.locator("[data-cursor]").waitFor();
  });
  await onPage(server, `/projects/${shop.id}/settings/general`, {}, async (page) => {
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("Everywhere", { exact: true }).waitFor();
    assert.equal(await help.getByText("Issue list").count(), 0);
  });
});

test("two keys lead to a page; typed into a field they are text", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    await page.getByLabel("Search issues").fill("");
    await page.keyboard.type("gr");
    assert.equal(await page.getByLabel("Search issues").inputValue(), "gr");
    assert.equal(path(page), `/projects/${shop.id}/issues`);
    await page.getByRole("heading", { name: "Issues" }).click();
    for (const [keys, wanted] of [["gr", "releases"], ["gs", "settings/general"], ["gi", "issues"]]) {
      await page.keyboard.type(keys);
      await atPath(page, `/projects/${shop.id}/${wanted}`);
    }
  });
});

test("a folded navigation stays folded", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    const width = () => nav(page).evaluate((element) => element.getBoundingClientRect().width);
    const before = await width();
    await page.getByRole("button", { name: "Fold the navigation" }).click();
    await page.getByRole("button", { name: "Unfold the navigation" }).waitFor();
    const folded = await width();
    assert.ok(folded < before / 2, `${before} px, folded ${folded} px`);
    await nav(page).getByRole("link", { name: "Releases" }).waitFor();
    await page.reload();
    await settled(page);
    assert.equal(await width(), folded);
    await pictures(page, "folded", [{ width: 1440, scheme: "light" }, { width: 1440, scheme: "dark" }]);
    await page.getByRole("button", { name: "Unfold the navigation" }).click();
    await eventually(width, before, "its width");
  });
});

test("on a narrow screen the bars lead to the sections, the other projects and the whole navigation", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, { width: 390, height: 844 }, async (page) => {
    assert.equal(await nav(page).isVisible(), false);
    const bar = page.getByRole("navigation", { name: "Project" });
    assert.deepEqual(await bar.getByRole("link").or(bar.getByRole("button")).allInnerTexts(), ["Issues", "Logs", "Inbox", "More"]);
    assert.equal(await bar.locator('[aria-current="page"]').innerText(), "Issues");
    await bar.getByRole("link", { name: "Logs" }).click();
    await atPath(page, `/projects/${shop.id}/logs`);
    assert.equal(await bar.locator('[aria-current="page"]').innerText(), "Logs");

    await page.getByRole("button", { name: "Project: Shop" }).click();
    await page.getByRole("menuitem", { name: "Depot" }).click();
    await atPath(page, `/projects/${depot.id}/issues`);
    await page.getByRole("button", { name: "Project: Depot" }).waitFor();

    const drawer = page.getByRole("dialog");
    await bar.getByRole("button", { name: "More" }).click();
    await drawer.getByRole("link", { name: "Releases" }).waitFor();
    await pictures(page, "drawer", [{ width: 390, scheme: "light" }, { width: 390, scheme: "dark" }]);
    await drawer.getByRole("link", { name: "Releases" }).click();
    await drawer.waitFor({ state: "hidden" });
    await atPath(page, `/projects/${depot.id}/releases`);
    await bar.getByRole("button", { name: "More" }).click();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });

    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("textbox", { name: "Go to" }).waitFor();
  });
});

test("on a narrow screen the end of a page is not under the bar", async () => {
  await onPage(server, `/projects/${shop.id}/settings/general`, { width: 390, height: 600 }, async (page) => {
    const last = page.locator("main").getByRole("button", { name: /^Delete/ }).last();
    await last.focus();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const ends = await last.evaluate((element) => element.getBoundingClientRect().bottom);
    const bar = await page.getByRole("navigation", { name: "Project" }).evaluate((element) => element.getBoundingClientRect());
    assert.ok(bar.height > 40 && bar.bottom === 600, `the bar is at the bottom: ${JSON.stringify(bar)}`);
    assert.ok(ends <= bar.top, `the last button ends at ${ends} px, the bar begins at ${bar.top} px`);
  });
});

test("the first Tab leads past the navigation, and a new page takes the focus", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, {}, async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Skip to the content");
    const seen = await page.getByText("Skip to the content").evaluate((link) => link.getBoundingClientRect().top >= 0);
    assert.ok(seen, "the link is in sight while it has the focus");
    await page.keyboard.press("Enter");
    await eventually(() => focused(page), "main", "the focus");
    assert.equal(path(page), `/projects/${shop.id}/issues`);
    await nav(page).getByRole("link", { name: "Releases" }).click();
    await atPath(page, `/projects/${shop.id}/releases`);
    await eventually(() => focused(page), "main", "the focus");
  });
});

/** Notes the colour behind the page in every frame from the first on. */
function noteGrounds() {
  window.grounds = new Set();
  const clear = "rgba(0, 0, 0, 0)";
  const look = () => {
    if (document.documentElement) {
      const colours = [document.body, document.documentElement].filter(Boolean).map((element) => getComputedStyle(element).backgroundColor);
      window.grounds.add(colours.find((colour) => colour !== clear) ?? `canvas ${getComputedStyle(document.documentElement).colorScheme}`);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

const scheme = (page) => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);

for (const [chosen, system, ground] of [["Dark", "light", "rgb(19, 20, 23)"], ["Light", "dark", "rgb(255, 255, 255)"]]) {
  test(`${chosen} is remembered against the system, without a flash of the other`, async () => {
    await onPage(server, `/projects/${shop.id}/issues`, { scheme: system }, async (page) => {
      assert.equal(await scheme(page), system);
      await page.getByRole("button", { name: "You: Ada" }).click();
      await page.getByRole("menuitemradio", { name: chosen }).click();
      await eventually(() => scheme(page), chosen.toLowerCase(), "the scheme");
      await page.addInitScript(noteGrounds);
      // Slow styles and scripts show what stands there before them.
      await page.route(/\/assets\/.*\.(js|css)$/, async (route) => {
        await new Promise((done) => setTimeout(done, 150));
        await route.continue();
      });
      await page.reload();
      await settled(page);
      assert.equal(await scheme(page), chosen.toLowerCase());
      assert.deepEqual(await page.evaluate(() => [...window.grounds]), [ground]);
    });
  });
}

test("as the system: the page follows while it is open, all of it", async () => {
  await onPage(server, `/projects/${shop.id}/issues`, { scheme: "light" }, async (page) => {
    const grounds = () => page.evaluate(() => [document.documentElement, document.body].map((element) => getComputedStyle(element).backgroundColor));
    await page.emulateMedia({ colorScheme: "dark" });
    await eventually(() => scheme(page), "dark", "the scheme");
    for (const ground of await grounds()) assert.match(ground, /^rgb\(19, 20, 23\)$|^rgba\(0, 0, 0, 0\)$/, "nothing stays light");
    await page.emulateMedia({ colorScheme: "light" });
    await eventually(() => scheme(page), "light", "the scheme");
  });
});

test("an address that is no page says so", async () => {
  await matrix("not-found", server, "/no/such/%3Cimg%20src=x%3E", {}, async (page) => {
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    assert.equal(await page.locator("main img").count(), 0);
  });
  await onPage(server, `/projects/${shop.id}/nothing`, {}, async (page) => {
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.getByRole("link", { name: "Go to issues" }).click();
    await page.waitForURL(/\/projects\/\d+\/issues$/);
  });
});

test("an address with a part that cannot be says so, too", async () => {
  for (const unknown of ["/projects/x/issues", `/projects/${shop.id}/settings/x`, `/projects/${shop.id}/issues/x`]) {
    await onPage(server, unknown, {}, async (page) => {
      await page.getByRole("heading", { name: "Page not found" }).waitFor({ timeout: 5_000 });
    });
  }
});

test("a project of somebody else says so, without telling whether there is one", async () => {
  await matrix("forbidden", server, "/projects/999999/issues", { allow: [403, 404] }, async (page) => {
    await page.getByRole("heading", { name: "You do not have access to this project" }).waitFor();
  });
});

test("who is signed out is led to the sign-in and back", async () => {
  const opened = await openPage(server, `/projects/${shop.id}/issues?query=cart&sort=events`, { signedIn: false });
  try {
    const { page } = opened;
    await atPath(page, "/login");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("a passphrase for tests");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${server.origin}/projects/${shop.id}/issues?query=cart&sort=events`);
    await rows(page).nth(2).waitFor();
    opened.check();
  } finally {
    await opened.close();
  }
  const context = await newContext(server, { signedIn: false });
  const other = await openPage(server, "/login?next=https%3A%2F%2Fevil.example%2F", { context, allow: [401] });
  assert.equal(new URL(other.page.url()).origin, server.origin);
  await context.close();
});
