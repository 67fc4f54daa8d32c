// The bell, the inbox by keyboard, and the browser's own notifications. Their other states: notifications.night.test.mjs.

import assert from "node:assert/strict";
import { appear, bell, choice, inbox, preferences, readersOf, rows, shown, titles, withTabs } from "./readers.mjs";
import { Server } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, onPage, pictures } from "./web.mjs";

let server;
let shop;
let announce;
let told;
let somebody;
let readerOfAll;

before(async () => {
  server = await Server.start();
  ({ announce, told, somebody, readerOfAll } = readersOf(server));
  shop = await server.project("Shop");
});
after(() => server?.stop());

test("the bell counts what is not read while it comes, and its menu has the newest", async () => {
  const reader = await somebody();
  await onPage(server, `/projects/${shop.id}/issues`, { token: reader.token }, async (page) => {
    await bell(page).waitFor();
    await announce("Maintenance tonight", { text: "From 22:00 UTC." });
    await bell(page, 1).waitFor();
    await announce("<b>Another</b> one");
    await bell(page, 2).click();
    const items = page.getByRole("menuitem");
    await items.filter({ hasText: "<b>Another</b> one" }).waitFor();
    // What comes while it is open stands in it, too.
    await announce("A third");
    await items.filter({ hasText: "A third" }).waitFor();
    await pictures(page, "bell", [{ width: 1440, scheme: "light" }, { width: 1440, scheme: "dark" }]);
    await items.filter({ hasText: "Mark all as read" }).click();
    await bell(page).waitFor();
    await eventually(async () => (await told(reader.token, "unread_only=true")).total, 0);
    await items.filter({ hasText: "Open the inbox" }).click();
    await page.waitForURL((url) => url.pathname === inbox);
  });
});

test("the keyboard walks through the inbox, reads, archives and opens", async () => {
  const reader = await readerOfAll();
  await onPage(server, inbox, { token: reader.token }, async (page) => {
    await rows(page).nth(3).waitFor();
    const all = await titles(page);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await eventually(focused, all[1].startsWith("Unread") ? all[1] : `Unread: ${all[1]}`);
    await page.keyboard.press("r");
    await bell(page, 3).waitFor();
    await page.keyboard.press("k");
    await page.keyboard.press("e");
    await page.getByText("3 notifications", { exact: true }).waitFor();
    await bell(page, 2).waitFor();
    // The next one has come in its place, and the keyboard is there.
    await eventually(focused, all[1].replace("Unread: ", ""));
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    for (const does of ["Next notification", "Mark as read", "Archive", "Inbox"]) await help.getByText(does, { exact: true }).first().waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.getByRole("combobox", { name: "Category" }).selectOption("Errors");
    await page.getByText("1 notification", { exact: true }).waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("j");
    await eventually(focused, "Unread: 7 new issues in Incident");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/projects\/\d+\/issues/);
    await bell(page, 1).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("n");
    await page.waitForURL((url) => url.pathname === inbox);
  });
});

test("the browser shows what comes while nobody looks, once the person wants it", async () => {
  const reader = await somebody();
  await withTabs(server, [preferences, `/projects/${shop.id}/logs`], { token: reader.token, count: 1 }, async ([page]) => {
    await bell(page).waitFor();
    // A page that is hidden before it listens does not begin to.
    await announce("While it was opened");
    await bell(page, 1).waitFor();
    await appear(page, "hidden");
    await announce("Before it was wanted");
    await bell(page, 2).waitFor();
    await appear(page, "visible");
    assert.equal(await choice(page).isChecked(), false);
    await choice(page).click();
    await page.getByRole("switch", { name: "Show browser notifications", checked: true }).waitFor();
    // The person leaves before the code that shows notifications has arrived.
    let leave;
    const left = new Promise((resolve) => (leave = resolve));
    await page.route(/show-notification/, async (route) => {
      await left;
      await route.continue();
    });
    await announce("While it was seen");
    await bell(page, 3).waitFor();
    await appear(page, "hidden");
    leave();
    await announce("<b>Maintenance</b>", { text: "From 22:00 UTC" });
    await eventually(() => shown(page), [{ title: "<b>Maintenance</b>", body: "From 22:00 UTC" }]);
    await page.evaluate(() => window.shown[0].onclick(new Event("click")));
    await page.waitForURL((url) => url.pathname === inbox);
    await appear(page, "visible");
    await bell(page, 3).waitFor();
    await rows(page).filter({ hasText: "Maintenance" }).waitFor();
    await page.goto(server.origin + preferences);
    await page.getByRole("switch", { name: "Show browser notifications", checked: true }).click();
    await page.getByRole("switch", { name: "Show browser notifications", checked: false }).waitFor();
    await announce("While it was opened again");
    await bell(page, 4).waitFor();
    await appear(page, "hidden");
    await announce("No longer wanted");
    await bell(page, 5).waitFor();
    assert.deepEqual(await shown(page), []);
  });
});
