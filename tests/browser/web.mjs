// Opens pages of the Web app as a person does, and holds every one of them to the same rules.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "./chromium.mjs";
import { until } from "./server.mjs";

const output = join(dirname(fileURLToPath(import.meta.url)), "output");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** How long a page may take to show what is waited for, in milliseconds. */
const patience = 15_000;

export const widths = [1440, 390];
export const schemes = ["light", "dark"];

let browser;
after(() => browser?.close());

/** A new profile of the one browser of this file; signed in as the owner unless told not to. */
export async function newContext(server, { width = 1440, height = 900, scheme = "light", signedIn = true, token = server.token, ...more } = {}) {
  browser ??= await launch();
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, ...more });
  context.setDefaultTimeout(patience);
  if (signedIn) await signIn(context, server, token);
  return context;
}

/** Gives a profile the cookie of a session. */
export function signIn(context, server, token = server.token) {
  return context.addCookies([{ name: "mayday_session", value: token, url: server.origin, httpOnly: true, sameSite: "Lax" }]);
}

/**
 * Opens a path in a profile of its own, or in `context`. `routes` may answer in the server's place;
 * `allow` names what the console may say: statuses of answers, or patterns of texts with addresses;
 * `others` are origins that a person is sent to.
 */
export async function openPage(server, path, { context, allow = [], others = [], routes, wait = true, ...profile } = {}) {
  const opened = new Opened(server, path, context ?? (await newContext(server, profile)), context === undefined, others);
  opened.allow(...(profile.signedIn === false ? [401] : []), ...allow);
  try {
    opened.page = await opened.context.newPage();
    opened.listen();
    await routes?.(opened.page, opened);
    opened.response = await opened.page.goto(server.origin + path);
    if (wait) await settled(opened.page);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens a page, hands it to `act`, and holds it to the rules after that. */
export function onPage(server, path, options, act = async () => undefined) {
  return withPage(server, path, options, async (page, opened) => {
    await act(page, opened);
    await assertWhole(page, path);
  });
}

async function withPage(server, path, options, act) {
  const opened = await openPage(server, path, options);
  try {
    await act(opened.page, opened);
    opened.check();
  } catch (error) {
    await opened.report(error);
    throw error;
  } finally {
    await opened.close();
  }
}

/**
 * Opens a page, brings it into a state by `act`, and holds it to the rules at every width in every
 * scheme; keeps pictures, `output/<name>-<width>-<scheme>.png`. With `fresh` the page is opened anew
 * for each width: for states that a change of the width would end.
 */
export async function matrix(name, server, path, { fresh = false, ...options } = {}, act = async () => undefined) {
  const looks = widths.map((width) => schemes.map((scheme) => ({ width, scheme })));
  for (const group of fresh ? looks : [looks.flat()]) {
    await withPage(server, path, { ...options, ...group[0] }, async (page, opened) => {
      await act(page, opened);
      await pictures(page, name, group);
    });
  }
}

/** Holds a page, as it is, to the rules at every width in every scheme, and keeps pictures. */
export async function pictures(page, name, looks = widths.flatMap((width) => schemes.map((scheme) => ({ width, scheme })))) {
  for (const { width, scheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await holds(page, (wanted) => document.documentElement.dataset.mantineColorScheme === wanted, scheme);
    await picture(page, `${name}-${width}-${scheme}`);
    await assertWhole(page, `${name} at ${width} px, ${scheme}`);
  }
}

/** Keeps a picture of what is on the screen, or of the whole page where it is not much longer. */
export async function picture(page, name) {
  mkdirSync(output, { recursive: true });
  const fullPage = await page.evaluate(() => document.documentElement.scrollHeight < 5 * innerHeight);
  await page.screenshot({ path: join(output, `${name}.png`), fullPage, animations: "disabled" });
}

/** Waits until the page has a heading and nothing of it is being loaded. */
export async function settled(page) {
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelector('main [aria-busy="true"], [data-visible][class*="Skeleton"]') === null);
}

export class Opened {
  #problems = [];
  #allowed = [];
  #requests = [];

  constructor(server, path, context, own, others) {
    Object.assign(this, { server, path, context, own, others });
  }

  /** What the console may say from now on. */
  allow(...what) {
    this.#allowed.push(...what);
  }

  listen() {
    const { page } = this;
    page.on("console", (message) => {
      if (!["error", "warning"].includes(message.type())) return;
      const text = `${message.text()} (${message.location().url})`;
      if (!this.#allowed.some((what) => isAllowed(what, text))) this.#problems.push(text);
    });
    page.on("pageerror", (error) => {
      const text = `thrown: ${error.stack ?? error}`;
      if (!this.#allowed.some((what) => what instanceof RegExp && what.test(text))) this.#problems.push(text);
    });
    page.on("crash", () => this.#problems.push("the page crashed"));
    page.on("dialog", (dialog) => {
      this.#problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => this.#requests.push(request.url()));
  }

  /** Addresses that were asked for so far, those of a pattern only. */
  requests(pattern = /./) {
    return this.#requests.filter((url) => pattern.test(url));
  }

  /** What the page said and asked for so far. */
  check() {
    const { path } = this;
    assert.deepEqual(this.#problems, [], `${path}: nothing is logged`);
    const expected = [this.server.origin, ...this.others].map((origin) => `${origin}/`);
    const isOwn = (url) => ["data:", "blob:", ...expected].some((start) => url.startsWith(start));
    assert.deepEqual(this.requests().filter((url) => !isOwn(url)), [], `${path}: no request to anyone else`);
  }

  /** Tells of a failed test what the page looked like. */
  async report(error) {
    const name = `failed-${this.path.replace(/\W+/g, "-").slice(0, 40)}-${Date.now() % 1_000_000}`;
    await picture(this.page, name).catch(() => undefined);
    if (error instanceof Error) error.message += `\n${this.page.url()}, output/${name}.png\n${this.#problems.join("\n")}`;
  }

  async close() {
    if (this.own) await this.context.close();
    else await this.page?.close();
  }
}

function isAllowed(what, text) {
  if (typeof what === "number") return text.includes(`responded with a status of ${what} `);
  return what.test(text);
}

/** How the page looks by now. */
export async function assertWhole(page, path) {
  await assertNotSideways(page, path);
  await assertAccessible(page, path);
  await assertLegible(page, path);
}

async function assertNotSideways(page, path) {
  const { scroll, shown } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    shown: document.documentElement.clientWidth,
  }));
  assert.ok(scroll <= shown, `${path}: ${scroll} px wide on a screen of ${shown} px`);
}

/** What axe has looked at in this file, by the kinds of elements: the same ones again tell nothing new. */
const looked = new Set();

/** Every kind of element that the page is made of, at this width and in this scheme. */
function kindsOnPage() {
  const telling = /^(class|role|type|data-tone)$/;
  const counting = /^(disabled|tabindex|aria-|data-)/;
  const kindOf = ({ tagName, attributes }) => {
    const words = [...attributes].map(({ name, value }) => (telling.test(name) ? value : counting.test(name) ? name : ""));
    return [tagName, ...words].join(" ");
  };
  const kinds = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility()).map(kindOf);
  return [innerWidth > 640, document.documentElement.dataset.mantineColorScheme, ...[...new Set(kinds)].sort()].join("\n");
}

/** Waits until what moves has come to its end: colours are judged as they end up. */
function stillness() {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
  return Promise.allSettled(ending.map(({ finished }) => finished));
}

/** axe finds nothing serious on the whole page. */
async function assertAccessible(page, path) {
  await page.evaluate(stillness);
  const kinds = await page.evaluate(kindsOnPage);
  if (looked.has(kinds)) return;
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate(async () => {
    const found = await window.axe.run({ resultTypes: ["violations"] });
    const told = ({ html, failureSummary }) => `${html.slice(0, 300)}\n${failureSummary}`;
    return {
      violations: found.violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 5).map(told) })),
      passes: found.passes.length,
    };
  });
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious, [], `${path}: accessible`);
  assert.ok(passes > 5, `${path}: axe has looked at the page`);
  looked.add(kinds);
}

/** Texts that cannot be seen, in the colour of what is behind them; axe takes these for hidden ones. */
async function assertLegible(page, path) {
  const unseen = await page.evaluate(() => {
    const solid = (colour) => !/^rgba\(.*, 0\)$|^transparent$/.test(colour);
    const behind = (element) => {
      for (let each = element; each; each = each.parentElement) {
        const { backgroundColor, backgroundImage } = getComputedStyle(each);
        if (backgroundImage !== "none") return undefined;
        if (solid(backgroundColor)) return backgroundColor;
      }
      return undefined;
    };
    return [...document.querySelectorAll("body *")]
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""))
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((element) => getComputedStyle(element).color === behind(element))
      .map((element) => element.outerHTML.slice(0, 200));
  });
  assert.deepEqual(unseen, [], `${path}: every text can be told from its ground`);
}

/** Waits until a page's own test is true; `argument` is handed to it. */
export const holds = (page, test, argument) => page.waitForFunction(test, argument, { timeout: patience });

/** Waits until what `ask` answers equals what is expected, and says what it was where it does not. */
export async function eventually(ask, expected, what = "value") {
  let last;
  try {
    await until(what, async () => {
      last = await ask();
      return JSON.stringify(last) === JSON.stringify(expected) ? true : undefined;
    }, patience);
  } catch {
    assert.deepEqual(last, expected, what);
  }
}

/** Holds back what a pattern asks for, until `go` is called. */
export async function heldBack(page, pattern) {
  let release;
  const gate = new Promise((done) => (release = done));
  await page.route(pattern, async (route) => {
    await gate;
    await route.continue().catch(() => undefined);
  });
  return { go: () => release() };
}
