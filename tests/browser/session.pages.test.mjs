// When something goes wrong around a page: the server is gone, the session has ended, a part of the
// app is missing, a page breaks.

import assert from "node:assert/strict";
import { eventOf, fill, sendAll } from "./seed.mjs";
import { Server, owner } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { endSessionAtChange, eventually, newContext, onPage, openPage, pictures, settled } from "./web.mjs";

let server;
let project;

const rows = (page) => page.locator("[data-issue]");
const issuesApi = /\/api\/v1\/projects\/\d+\/issues\?/;
const refused = /net::ERR_(CONNECTION_REFUSED|FAILED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE|ABORTED)/;
const list = () => `/projects/${project.id}/issues`;
const showView = (page, name) => page.locator("main label").filter({ hasText: new RegExp(`^${name}$`) }).click();
const pathOf = (page) => new URL(page.url()).pathname;

before(async () => {
  server = await Server.start();
  project = await server.project("Shop");
  await fill(project, 3, () => ({ exception: { message: "cart is empty" } }));
});
after(() => server?.stop());

test("a page that breaks says so, and trying again helps when the cause is gone", async () => {
  let broken = true;
  const routes = (page) => page.route(issuesApi, (route) => (broken ? route.fulfill({ json: { total: 3 } }) : route.continue()));
  const opened = await openPage(server, list(), { routes, wait: false, allow: [/TypeError/] });
  try {
    const { page } = opened;
    await page.getByRole("heading", { name: "This page broke" }).waitFor();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await pictures(page, "crash");
    broken = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await rows(page).nth(2).waitFor({ timeout: 5_000 });
    opened.check();
  } finally {
    await opened.close();
  }
});

test("while the server is gone a banner says so; when it is back the page is fresh by itself", async () => {
  await onPage(server, list(), { allow: [refused] }, async (page) => {
    await rows(page).nth(2).waitFor();
    const banner = page.getByRole("status").filter({ hasText: "cannot be reached" });
    try {
      await server.goAway();
      await showView(page, "All");
      await banner.waitFor();
      assert.equal(await page.getByText("You are offline").count(), 0, "the network is there");
      await pictures(page, "offline");
      assert.equal(await banner.getByRole("button", { name: "Try now" }).isVisible(), true);
    } finally {
      await server.comeBack();
    }
    await banner.waitFor({ state: "hidden" });
    await rows(page).nth(2).waitFor();
    await sendAll(project, [eventOf(100, { exception: { message: "after the restart" } })]);
    await page.getByText("after the restart").waitFor();
  });
});

test("without a network the page says that it is offline, keeps what it has, and asks again for the rest once it is back", async () => {
  const context = await newContext(server);
  const opened = await openPage(server, list(), { context, allow: [/net::ERR_INTERNET_DISCONNECTED/, refused] });
  try {
    const { page } = opened;
    await rows(page).nth(2).waitFor();
    const shown = await rows(page).count();
    await context.setOffline(true);
    const banner = page.getByRole("status").filter({ hasText: "You are offline" });
    await banner.waitFor();
    assert.equal(await page.getByText("cannot be reached").count(), 0, "the server is not blamed");
    assert.equal(await rows(page).count(), shown, "what is there stays");
    await pictures(page, "no-network", [{ width: 1440, scheme: "light" }, { width: 390, scheme: "dark" }]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await showView(page, "Resolved");
    await page.getByRole("alert").filter({ hasText: "once the connection is back" }).waitFor();
    await context.setOffline(false);
    await banner.waitFor({ state: "hidden" });
    await page.getByText("0 issues", { exact: true }).waitFor();
    assert.equal(await page.getByRole("alert").filter({ hasText: "once the connection is back" }).count(), 0);
    opened.check();
  } finally {
    await context.close();
  }
});

test("a browser that takes itself for offline is not believed while the server answers", async () => {
  await onPage(server, list(), {}, async (page) => {
    await rows(page).nth(2).waitFor();
    const answer = page.waitForResponse(/\/health$/);
    await page.evaluate(() => {
      Object.defineProperty(navigator, "onLine", { configurable: true, get: () => false });
      dispatchEvent(new Event("offline"));
    });
    await (await answer).finished();
    assert.equal(await page.getByText("You are offline").count(), 0);
  });
});

test("a browser that lost its network is asked twice, since an answer may have been on its way", async () => {
  let asked = 0;
  const routes = (page) =>
    page.route(/\/health$/, (route) => {
      asked += 1;
      return asked === 1 ? route.continue() : route.abort();
    });
  await onPage(server, list(), { routes, allow: [refused] }, async (page) => {
    await rows(page).nth(2).waitFor();
    await page.evaluate(() => {
      Object.defineProperty(navigator, "onLine", { configurable: true, get: () => false });
      dispatchEvent(new Event("offline"));
    });
    await page.getByRole("status").filter({ hasText: "You are offline" }).waitFor();
  });
});

test("the banner comes by itself, without anything being asked", async () => {
  const opened = await openPage(server, list(), { allow: [refused] });
  try {
    await rows(opened.page).nth(2).waitFor();
    await server.goAway();
    await opened.page.getByRole("status").filter({ hasText: "cannot be reached" }).waitFor({ timeout: 8_000 });
  } finally {
    await server.comeBack();
    await opened.close();
  }
});

test("trying now ends the wait", async () => {
  let silent = false;
  let refusals = 0;
  const routes = (page) =>
    page.route(/\/(api\/v1\/projects\/\d+\/issues\?|health)/, (route) => {
      if (!silent) return route.continue();
      if (route.request().url().endsWith("/health")) refusals += 1;
      return route.abort();
    });
  await onPage(server, list(), { routes, allow: [refused] }, async (page) => {
    await rows(page).nth(2).waitFor();
    silent = true;
    await showView(page, "Resolved");
    const banner = page.getByRole("status").filter({ hasText: "cannot be reached" });
    await banner.waitFor();
    // Each wait is longer than the one before, so that the press comes before the next attempt.
    await eventually(() => refusals > 1, true, "attempts that fail");
    silent = false;
    await banner.getByRole("button", { name: "Try now" }).click();
    await banner.waitFor({ state: "hidden" });
    await page.getByText("0 issues", { exact: true }).waitFor();
  });
});

test("a session that ended is renewed over the page, which keeps what it held", async () => {
  const token = await server.signIn();
  await onPage(server, `${list()}?query=cart`, { token, allow: [401] }, async (page) => {
    await rows(page).first().waitFor();
    await page.getByRole("checkbox", { name: /^Select SHOP-/ }).first().click();
    await page.getByText("1 issue selected").waitFor();
    await endSessionAtChange(page, server, token);
    await page.getByRole("button", { name: "Priority" }).click();
    await page.getByRole("menuitem", { name: "high" }).click();
    const dialog = page.getByRole("dialog", { name: "You have been signed out" });
    await dialog.waitFor();
    await pictures(page, "session-ended");
    await page.setViewportSize({ width: 1440, height: 900 });

    assert.equal(await dialog.getByLabel("E-mail").inputValue(), owner.email);
    await dialog.getByLabel("Password", { exact: true }).fill("not the password");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
    await dialog.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });

    assert.equal(new URL(page.url()).searchParams.get("query"), "cart");
    await page.getByText("1 issue selected").waitFor();
    await page.getByRole("button", { name: "Priority" }).click();
    await page.getByRole("menuitem", { name: "high" }).click();
    await page.getByText("1 issue set to high priority").waitFor();
  });
});

test("a cookie that is gone counts as an ended session", async () => {
  const context = await newContext(server);
  const opened = await openPage(server, list(), { context, allow: [401] });
  try {
    await rows(opened.page).first().waitFor();
    const dialog = opened.page.getByRole("dialog", { name: "You have been signed out" });
    await context.clearCookies();
    // Something else that the page asks for may find out first, and the dialog then lies over what is to be pressed.
    await Promise.race([showView(opened.page, "Resolved").catch(() => undefined), dialog.waitFor()]);
    await dialog.waitFor();
    await opened.page.getByRole("button", { name: "Leave" }).click();
    await opened.page.waitForURL(/\/login/);
    opened.check();
  } finally {
    await context.close();
  }
});

test("after signing out nothing can be read, not by going back either", async () => {
  const token = await server.signIn();
  await onPage(server, list(), { token, allow: [401] }, async (page) => {
    await rows(page).first().waitFor();
    await page.goto(`${server.origin}/projects/${project.id}/releases`);
    await settled(page);
    await page.getByRole("button", { name: "You: Ada" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/\/login/);
    const { status } = await server.raw("/api/v1/me", { token });
    assert.equal(status, 401, "the session has ended at the server");
    for (let step = 0; step < 2; step += 1) {
      await page.goBack().catch(() => undefined);
      await page.getByLabel("Password", { exact: true }).waitFor();
      assert.doesNotMatch(await page.locator("body").innerText(), /cart is empty/);
    }
    await eventually(() => pathOf(page), "/login", "the address");
  });
});

test("a part of the app that is missing is fetched anew with the page, or said to be missing", async () => {
  let gone = true;
  const routes = (page) =>
    page.route(/\/assets\/ReleasesPage-[^/]*\.js/, (route) => (gone ? route.fulfill({ status: 404, json: { detail: "no such route" } }) : route.continue()));
  await onPage(server, list(), { routes, allow: [404, /dynamically imported module|is not executable/] }, async (page) => {
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Releases" });
    await link.click();
    await page.getByRole("heading", { name: "Part of this page could not be loaded" }).waitFor();
    await pictures(page, "part-missing");
    await page.setViewportSize({ width: 1440, height: 900 });
    gone = false;
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Releases", level: 1 }).waitFor();
    assert.equal(pathOf(page), `/projects/${project.id}/releases`);
  });
});
