// Somebody who is told of things, and where they see it: the bell and the inbox.

import { member } from "./people.mjs";
import { fill } from "./seed.mjs";
import { until } from "./server.mjs";
import { newContext, openPage } from "./web.mjs";

export const inbox = "/account/notifications";
export const preferences = `${inbox}/preferences`;

export const bell = (page, unread) =>
  page.getByRole("button", { name: unread ? `Inbox ${unread} unread` : "Inbox", exact: true }).first();
export const rows = (page) => page.getByRole("list", { name: "Notifications" }).getByRole("listitem");
export const titles = (page) => rows(page).getByRole("link").and(page.locator("[href^='/']")).allTextContents();

/** The people of a server who are told of things. */
export function readersOf(server) {
  const announce = (title, more = {}) => server.post("/api/v1/instance/announcements", { title, ...more }, { expect: 201 });
  /** What somebody was told. */
  const told = (token, query = "") => server.request(`/api/v1/notifications?${query}`, { token });
  const hasTold = (token, count) =>
    until(`${count} notifications`, async () => ((await told(token)).total >= count ? true : undefined));
  /** Somebody new, who was told nothing yet. */
  let people = 0;
  const somebody = () => member(server, `reader-${(people += 1)}@example.com`, { name: `Reader ${people}` });
  /** Somebody who was told of an issue, of many at once, of a member, and of two announcements. */
  const readerOfAll = async () => {
    const project = await server.project("Incident");
    const reader = await somebody();
    await fill(project, 7, (index) => ({ fingerprint: [`incident ${index}`], exception: { message: `incident ${index}` } }));
    await somebody();
    await announce("Maintenance", { text: "On Sunday.\nAll day.", url: "https://status.example/1" });
    await announce("It is over");
    await until("all kinds", async () => {
      const { notifications } = await told(reader.token);
      return notifications.some(({ title }) => title === "7 new issues in Incident") && notifications.length === 4 ? true : undefined;
    });
    return reader;
  };
  return { announce, told, hasTold, somebody, readerOfAll };
}

/**
 * Notes which notifications the page shows. Chromium without a screen answers a question for the permission by what it
 * was granted, but says otherwise that it is denied.
 */
function note() {
  const Own = window.Notification;
  window.shown = [];
  window.Notification = class extends Own {
    static get permission() {
      return localStorage.getItem("permission") ?? "default";
    }
    static async requestPermission() {
      const answer = await Own.requestPermission();
      localStorage.setItem("permission", answer);
      return answer;
    }
    constructor(title, options) {
      super(title, options);
      window.shown.push(this);
    }
  };
}

/** So many tabs of a browser that may show notifications, with a page in the first and another in the others. */
export async function withTabs(server, [first, others], { token, count }, act) {
  const context = await newContext(server, { token, permissions: ["notifications"] });
  const opened = [];
  try {
    await context.addInitScript(note);
    for (let at = 0; at < count; at += 1) {
      opened.push(await openPage(server, at === 0 ? first : others, { context }));
    }
    await act(opened.map(({ page }) => page));
    for (const tab of opened) tab.check();
  } catch (error) {
    await opened[0]?.report(error);
    throw error;
  } finally {
    await context.close();
  }
}

export const appear = (page, state) =>
  page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
export const shown = (page) => page.evaluate(() => window.shown.map(({ title, body }) => ({ title, body })));
export const choice = (page) => page.getByRole("switch", { name: "Show browser notifications" });
