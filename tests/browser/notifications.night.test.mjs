// What people see of notifications: the bell, the inbox, what they choose to be told, and the browser's own. The main ways: notifications.test.mjs.

import assert from "node:assert/strict";
import { MailSink } from "./mail.mjs";
import { button, member } from "./people.mjs";
import { appear, bell, choice, inbox, preferences, readersOf, rows, shown, titles, withTabs } from "./readers.mjs";
import { fill } from "./seed.mjs";
import { Server } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { assertWhole, eventually, heldBack, matrix, onPage, pictures } from "./web.mjs";

let server;
let shop;
let bob;
let announce;
let hasTold;
let somebody;
let readerOfAll;

before(async () => {
  server = await Server.start();
  ({ announce, hasTold, somebody, readerOfAll } = readersOf(server));
  shop = await server.project("Shop");
  bob = await member(server, "bob@example.com", { name: "Bob" });
});
after(() => server?.stop());

test("the bell has nothing at first", async () => {
  const reader = await somebody();
  await matrix("bell-nothing", server, `/projects/${shop.id}/issues`, { token: reader.token, fresh: true }, async (page) => {
    await bell(page).click();
    await page.getByRole("menu").getByText("No notifications yet").waitFor();
  });
});

test("on a small screen the bell is in the bar", async () => {
  const reader = await somebody();
  await announce("Of a small screen");
  for (const scheme of ["light", "dark"]) {
    await onPage(server, `/projects/${shop.id}/issues`, { token: reader.token, width: 390, scheme }, async (page) => {
      await page.locator("[data-bell=bar]").click();
      await page.getByRole("menuitem").filter({ hasText: "Of a small screen" }).waitFor();
      await pictures(page, "bell-small", [{ width: 390, scheme }]);
    });
  }
});

test("one of the menu leads to what it tells of, and is read then", async () => {
  const reader = await somebody();
  await fill(shop, 1, () => ({ fingerprint: ["led to"], exception: { message: "led to" } }));
  await onPage(server, `/projects/${shop.id}/logs`, { token: reader.token }, async (page) => {
    await bell(page, 1).click();
    await page.getByRole("menuitem").filter({ hasText: "New issue: TypeError: led to" }).click();
    await page.waitForURL(/\/projects\/\d+\/issues\/\d+$/);
    await bell(page).waitFor();
  });
});

test("the menu is one of items while it loads, too", async () => {
  let held;
  const routes = async (page) => void (held = await heldBack(page, "**/api/v1/notifications?limit=8"));
  await onPage(server, `/projects/${shop.id}/logs`, { routes }, async (page) => {
    await page.locator("[data-bell=line]").click();
    await page.getByRole("menuitem", { name: "Loading notifications…" }).waitFor();
    await page.getByRole("menu").locator('[class*="Skeleton"]').first().waitFor();
    await assertWhole(page, "the inbox's menu as it loads");
    held.go();
    await page.getByRole("menuitem").filter({ hasText: "accepted your invitation" }).first().waitFor();
  });
});

test("what the menu cannot load can be tried again", async () => {
  let fails = true;
  const routes = (page) =>
    page.route("**/api/v1/notifications?limit=8", (route) =>
      fails ? route.fulfill({ status: 400, json: { detail: "Not now" } }) : route.fallback(),
    );
  await onPage(server, `/projects/${shop.id}/logs`, { routes, allow: [400] }, async (page) => {
    await page.locator("[data-bell=line]").click();
    await page.getByText("could not be loaded: Not now").waitFor();
    fails = false;
    await page.getByRole("menuitem", { name: "Try again" }).click();
    await page.getByRole("menuitem").filter({ hasText: "accepted your invitation" }).first().waitFor();
  });
});

test("more than ninety-nine are ninety-nine and more, and the inbox has them by pages", async () => {
  const reader = await somebody();
  for (let at = 0; at < 101; at += 1) await announce(at === 100 ? "A title of many words ".repeat(9).trim() : `Notice ${at}`);
  await hasTold(reader.token, 101);
  await onPage(server, inbox, { token: reader.token }, async (page) => {
    await bell(page, "99+").getByTitle("101 unread notifications").waitFor();
    await page.getByText("1 to 50 of 101").waitFor();
    assert.equal(await rows(page).count(), 50);
    await button(page, "Older").click();
    await page.getByText("51 to 100 of 101").waitFor();
    await page.waitForURL(/\?page=2$/);
    await button(page, "Older").click();
    await page.getByText("101 to 101 of 101").waitFor();
    assert.equal(await rows(page).count(), 1);
    await page.goBack();
    await page.getByText("51 to 100 of 101").waitFor();
  });
  await matrix("inbox-full", server, inbox, { token: reader.token }, (page) => bell(page, "99+").waitFor());
  await onPage(server, `${inbox}?page=9`, { token: reader.token }, async (page) => {
    await button(page, "First page").click();
    await page.getByText("1 to 50 of 101").waitFor();
  });
});

test("the inbox has nothing at first, and nothing that fits", async () => {
  const reader = await somebody();
  await matrix("inbox-nothing", server, inbox, { token: reader.token }, (page) => page.getByText("No notifications yet").waitFor());
  const states = [
    ["show=unread", "Nothing unread", "Show all"],
    ["show=archived", "Nothing archived", "Show all"],
    ["category=team", "No matching notifications", "Clear filters"],
    ["show=nonsense&category=x&page=-1", "No notifications yet"],
  ];
  for (const [search, said, action] of states) {
    await onPage(server, `${inbox}?${search}`, { token: reader.token }, async (page) => {
      await page.getByText(said).waitFor();
      if (!action) return;
      await button(page, action).click();
      await page.waitForURL((url) => url.search === "");
      await page.getByText("No notifications yet").waitFor();
    });
  }
});

test("the inbox shows every kind, and filters stand in the address", async () => {
  const reader = await readerOfAll();
  await matrix("inbox", server, inbox, { token: reader.token }, async (page) => {
    await page.getByText("7 events").waitFor();
    await page.getByRole("link", { name: /Read more/ }).waitFor();
  });
  await onPage(server, inbox, { token: reader.token }, async (page) => {
    await page.getByText("4 notifications", { exact: true }).waitFor();
    await page.getByLabel("Category").selectOption("Errors");
    await page.waitForURL(/\?category=error$/);
    await page.getByText("1 notification", { exact: true }).waitFor();
    assert.match((await titles(page))[0], /7 new issues in Incident/);
    await page.getByLabel("Category").selectOption("All categories");
    await rows(page).nth(3).waitFor();
    await rows(page).first().hover();
    await button(page, "Mark as read: It is over").click();
    await page.getByRole("radiogroup", { name: "Show" }).getByText("Unread").click();
    await page.waitForURL(/\?show=unread$/);
    await page.getByText("3 notifications", { exact: true }).waitFor();
    await button(page, "Archive: Maintenance").click();
    await page.getByText("2 notifications", { exact: true }).waitFor();
    await page.getByRole("radiogroup", { name: "Show" }).getByText("Archived").click();
    await page.getByText("1 notification", { exact: true }).waitFor();
    assert.match((await titles(page))[0], /Maintenance/);
    await bell(page, 2).waitFor();
  });
});

test("what comes moves nothing that is being read, until it is called for", async () => {
  const reader = await somebody();
  for (let at = 0; at < 4; at += 1) await announce(`Read ${at}`);
  await hasTold(reader.token, 4);
  await onPage(server, inbox, { token: reader.token }, async (page) => {
    const third = rows(page).filter({ hasText: "Read 1" });
    await third.waitFor();
    const place = async () => (await third.boundingBox()).y;
    const before = await place();
    await announce("Meanwhile");
    await announce("And again");
    const show = button(page, "Show 2 new notifications");
    await show.waitFor();
    assert.equal(await place(), before, "nothing moved");
    await pictures(page, "inbox-waiting", [{ width: 1440, scheme: "light" }, { width: 390, scheme: "dark" }]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await show.click();
    await rows(page).nth(5).waitFor();
    assert.match((await titles(page))[0], /And again/);
    await show.waitFor({ state: "detached" });
  });
});

test("an inbox that cannot be loaded can be tried again", async () => {
  // The page asks again by itself too, so it fails until somebody clicks.
  const clicked = (page) => page.evaluate(() => globalThis.clicked === true);
  const routes = (page) =>
    page.route(/\/api\/v1\/notifications\?skip=/, async (route) =>
      (await clicked(page)) ? route.fallback() : route.fulfill({ status: 400, json: { detail: "Not now" } }),
    );
  await matrix("inbox-failed", server, inbox, { routes, allow: [400] }, (page) => page.getByText("Not now").waitFor());
  await onPage(server, inbox, { routes, allow: [400] }, async (page) => {
    await page.getByText("Your notifications could not be loaded").waitFor();
    await page.evaluate(() => addEventListener("click", () => (globalThis.clicked = true), { capture: true, once: true }));
    await button(page, "Try again").click();
    await rows(page).first().waitFor();
  });
});

test("what one is told is chosen by category and way, and saved at once", async () => {
  await matrix("notification-preferences", server, preferences, { token: bob.token }, async (page) => {
    await page.getByText("not set up to send mail").waitFor();
    await page.getByText("Ask an administrator to set it up.").waitFor();
  });
  await onPage(server, preferences, { token: bob.token }, async (page) => {
    const choice = page.getByRole("switch", { name: "Team: In Mayday" });
    assert.equal(await choice.isChecked(), true);
    await choice.click();
    await eventually(async () => {
      const list = await server.request("/api/v1/notifications/preferences", { token: bob.token });
      return list.preferences.find(({ category }) => category === "team").in_app_enabled;
    }, false);
    await page.reload();
    await page.getByRole("switch", { name: "Team: In Mayday", checked: false }).waitFor();
    assert.equal(await page.getByRole("switch").count(), 10);
    await page.getByRole("switch", { name: "Weekly report: By e-mail" }).click();
    await page.getByText("the next one comes").waitFor();
  });
  await onPage(server, preferences, {}, async (page) => {
    await page.getByRole("link", { name: "Set up mail" }).click();
    await page.waitForURL(/\/settings\/sign-in$/);
  });
});

test("a server that sends mail says nothing of it", async () => {
  const sink = await MailSink.start();
  const mailing = await Server.start({ variables: sink.variables() });
  try {
    await onPage(mailing, preferences, {}, async (page) => {
      await page.getByRole("switch", { name: "Errors: By e-mail" }).waitFor();
      assert.equal(await page.getByText("not set up to send mail").count(), 0);
      await page.getByRole("switch", { name: "System: By e-mail" }).click();
      await page.getByText("mailed to you whatever you choose").waitFor();
    });
  } finally {
    await mailing.stop();
    await sink.close();
  }
});

test("of several tabs one shows it, and none while another is seen", async () => {
  const reader = await somebody();
  await withTabs(server, [preferences, `/projects/${shop.id}/logs`], { token: reader.token, count: 3 }, async (pages) => {
    await pages[0].bringToFront();
    await choice(pages[0]).click();
    for (const page of pages) await appear(page, "hidden");
    await announce("For one of them");
    await Promise.all(pages.map((page) => bell(page, 1).waitFor()));
    const all = async () => (await Promise.all(pages.map(shown))).flat().map(({ title }) => title);
    await eventually(all, ["For one of them"]);
    await appear(pages[2], "visible");
    await announce("Seen by one");
    await Promise.all(pages.map((page) => bell(page, 2).waitFor()));
    await appear(pages[2], "hidden");
    await announce("Seen by none");
    await Promise.all(pages.map((page) => bell(page, 3).waitFor()));
    await eventually(async () => (await all()).sort(), ["For one of them", "Seen by none"]);
  });
});

test("a browser that blocks notifications is said to", async () => {
  const routes = (page) => page.addInitScript(() => Object.defineProperty(window.Notification, "permission", { get: () => "denied" }));
  await matrix("notification-blocked", server, preferences, { token: bob.token, routes }, async (page) => {
    await page.getByText("The browser blocks notifications of this site").waitFor();
    assert.equal(await choice(page).isDisabled(), true);
  });
});
