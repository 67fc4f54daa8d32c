// Opens pages of the Web app as a person does, and holds every one of them to the same rules.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sharedBrowser } from "./chromium.mjs";
import { until } from "./server.mjs";

const output = join(dirname(fileURLToPath(import.meta.url)), "output");
/** The text of axe, to be run in a page. */
export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** How long a page may take to show what is waited for, in milliseconds. */
const patience = 60_000;

const schemes = ["light", "dark"];

/**
 * How a state is looked at: wide in both schemes; on a small laptop in one, for what needs width; and narrow in one of
 * them, by turns, so that what only narrow pages have is seen in both over all states. Pictures are kept of both.
 */
function looksOf(name) {
  const turn = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 2;
  const narrow = keepPictures ? schemes : [schemes[turn]];
  const wide = schemes.map((scheme) => ({ width: 1440, scheme }));
  return [...wide, { width: 1024, scheme: "light" }, ...narrow.map((scheme) => ({ width: 390, scheme }))];
}

/** Pictures of every state, to look at; else only of what failed. */
const keepPictures = process.env.MAYDAY_PICTURES === "1";

/** A new profile of the browser; signed in as the owner unless told not to. */
export async function newContext(server, { width = 1440, height = 900, scheme = "light", signedIn = true, token = server.token, ...more } = {}) {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: "reduce", ...more });
  context.setDefaultTimeout(patience);
  if (signedIn) await signIn(context, server, token);
  return context;
}

/** Gives a profile the cookie of a session. */
export function signIn(context, server, token = server.token) {
  return context.addCookies([{ name: "mayday_session", value: token, url: server.origin, httpOnly: true, sameSite: "Lax" }]);
}

/** The profile that pages share one after the other, and whether one has it now. */
let kept;
/** How many pages share it: the process that they share is not as quick once it has seen many. */
const turns = 25;

/**
 * A profile that looks new and has the app in its cache. Pages take turns with it; a page that is opened
 * beside another, or wants a profile of its own kind, gets a new one.
 */
async function borrowContext(server, profile) {
  const { width = 1440, height = 900, scheme = "light", signedIn = true, token = server.token, ...more } = profile;
  if (kept?.taken || Object.keys(more).length > 0) {
    const context = await newContext(server, profile);
    return { context, giveBack: () => context.close() };
  }
  if (kept?.turns === turns) await keepNone();
  kept ??= { context: await newContext(server, { signedIn: false }), anchors: new Map(), turns: 0 };
  const mine = kept;
  mine.taken = true;
  mine.turns += 1;
  await anchorOf(mine, server);
  if (signedIn) await signIn(mine.context, server, token);
  const look = async (page) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  };
  return { context: mine.context, look, giveBack: () => leaveAsNew(mine, server) };
}

/** An empty page of the server. It keeps the process alive that all its pages share, with what that has compiled. */
async function anchorOf({ context, anchors }, { origin }) {
  const { hostname } = new URL(origin);
  let anchor = anchors.get(hostname);
  if (!anchor) {
    anchor = await context.newPage();
    anchors.set(hostname, anchor);
    await anchor.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "" }));
  }
  if (new URL(anchor.url(), origin).origin !== origin) await anchor.goto(`${origin}/nothing`);
  return anchor;
}

/** Forgets who was signed in, and what the pages of the server kept in the profile. */
async function leaveAsNew(mine, server) {
  try {
    const anchors = [...mine.anchors.values()];
    for (const page of mine.context.pages()) if (!anchors.includes(page)) await page.close();
    await (await anchorOf(mine, server)).evaluate(() => localStorage.clear());
    await mine.context.clearCookies();
    mine.taken = false;
  } catch {
    // A page that crashed takes its profile along.
    await keepNone();
  }
}

function keepNone() {
  const { context } = kept;
  kept = undefined;
  return context.close().catch(() => undefined);
}

/**
 * Opens a path in a profile that looks new, or in `context`. `routes` may answer in the server's place;
 * `allow` names what the console may say: statuses of answers, or patterns of texts with addresses;
 * `others` are origins that a person is sent to.
 */
export async function openPage(server, path, { context, allow = [], others = [], routes, wait = true, until = "load", ...profile } = {}) {
  const borrowed = context ? { context } : await borrowContext(server, profile);
  const opened = new Opened(server, path, borrowed, others);
  opened.allow(...(profile.signedIn === false ? [401] : []), ...allow);
  try {
    opened.page = await opened.context.newPage();
    await borrowed.look?.(opened.page);
    opened.listen();
    await routes?.(opened.page, opened);
    opened.response = await opened.page.goto(server.origin + path, { waitUntil: until });
    if (wait) await settled(opened.page);
    return opened;
  } catch (error) {
    if (opened.page) await opened.report(error);
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
 * Opens a page, brings it into a state by `act`, and holds it to the rules in each look; keeps pictures,
 * `output/<name>-<width>-<scheme>.png`. With `fresh` the page is opened anew
 * for 1440 and for 390 pixels: for states that a change of the width would end.
 */
export async function matrix(name, server, path, { fresh = false, ...options } = {}, act = async () => undefined) {
  const looks = looksOf(name);
  const groups = fresh ? [1440, 390].map((width) => looks.filter((look) => look.width === width)) : [looks];
  for (const group of groups) {
    await withPage(server, path, { ...options, ...group[0] }, async (page, opened) => {
      await act(page, opened);
      await pictures(page, name, group);
    });
  }
}

/** Holds a page, as it is, to the rules in each look, and keeps pictures. */
export async function pictures(page, name, looks = looksOf(name)) {
  for (const [index, { width, scheme }] of looks.entries()) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await assertWhole(page, `${name} at ${width} px, ${scheme}`, { scheme, again: index > 0 });
    await picture(page, `${name}-${width}-${scheme}`);
  }
}

/** Keeps a picture of what is on the screen, or of the whole page where it is not much longer. */
export async function picture(page, name) {
  if (keepPictures) await takePicture(page, name);
}

async function takePicture(page, name) {
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

  constructor(server, path, { context, giveBack }, others) {
    Object.assign(this, { server, path, context, giveBack, others });
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
    await takePicture(this.page, name).catch(() => undefined);
    if (error instanceof Error) error.message += `\n${this.page.url()}, output/${name}.png\n${this.#problems.join("\n")}`;
  }

  async close() {
    if (this.giveBack) await this.giveBack();
    else await this.page?.close();
  }
}

function isAllowed(what, text) {
  if (typeof what === "number") return text.includes(`responded with a status of ${what} `);
  return what.test(text);
}

/**
 * How the page looks by now: nothing is wider than the screen, every text can be told from its ground, and axe has
 * nothing serious to say. `scheme` is waited for; `again` says that this state was judged in another look.
 */
export async function assertWhole(page, path, { scheme, again = false } = {}) {
  if (scheme) await holds(page, (wanted) => document.documentElement.dataset.mantineColorScheme === wanted, scheme);
  await page.evaluate(stillness);
  const { scroll, shown, unseen, ...seen } = await page.evaluate(inspect);
  assert.ok(scroll <= shown, `${path}: ${scroll} px wide on a screen of ${shown} px`);
  assert.deepEqual(unseen, [], `${path}: every text can be told from its ground`);
  await assertAccessible(page, path, again, seen);
}

/** Waits until what moves has come to its end: colours are judged as they end up. */
function stillness() {
  // Those that go with the scrolling end with no time.
  const timed = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
  const ending = timed.filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
  return Promise.allSettled(ending.map(({ finished }) => finished));
}

/** What there is to know about a page, asked at once. */
function inspect() {
  const root = document.documentElement;
  const all = [...document.querySelectorAll("body *")];

  // Every kind of element that the page is made of.
  const telling = /^(class|role|type|data-tone)$/;
  const counting = /^(disabled|tabindex|aria-|data-)/;
  const kindOf = ({ tagName, attributes }) => {
    const words = [...attributes].map(({ name, value }) => (telling.test(name) ? value : counting.test(name) ? name : ""));
    return [tagName, ...words].join(" ");
  };
  const kinds = all.filter((element) => element.checkVisibility()).map(kindOf);

  // Texts that cannot be seen, in the colour of what is behind them; axe takes these for hidden ones.
  const solid = (colour) => !/^rgba\(.*, 0\)$|^transparent$/.test(colour);
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(each);
      if (backgroundImage !== "none") return undefined;
      if (solid(backgroundColor)) return backgroundColor;
    }
    return undefined;
  };
  const unseen = all
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""))
    .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((element) => getComputedStyle(element).color === behind(element))
    .map((element) => element.outerHTML.slice(0, 200));

  return {
    scroll: root.scrollWidth,
    shown: root.clientWidth,
    unseen,
    look: `${innerWidth > 640} ${root.dataset.mantineColorScheme}`,
    kinds: [...new Set(kinds)].sort(),
    hasAxe: "axe" in window,
  };
}

/** Pages that axe has looked at, by their look and the kinds of their elements: the same ones again tell nothing new. */
const looked = new Set();
/** Kinds of elements that axe has looked at with all of its rules, and with the one about contrast in each look. */
const known = { all: new Set() };

/**
 * axe finds nothing serious on the whole page. A state that is shown in another look (`again`) is judged by its
 * contrast alone, unless something stands there that no page had: names and roles have no colour. Where all that
 * stands there was judged in this look before, on other pages, nothing is left to judge.
 */
async function assertAccessible(page, path, again, { look, kinds, hasAxe }) {
  const seen = [look, ...kinds].join("\n");
  if (looked.has(seen)) return;
  const whole = !again || kinds.some((kind) => !known.all.has(kind));
  const inLook = (known[look] ??= new Set());
  if (!whole && kinds.every((kind) => inLook.has(kind))) return;
  if (!hasAxe) await page.evaluate(axe);
  const { violations, rules } = await page.evaluate(async (only) => {
    const found = await window.axe.run({ resultTypes: ["violations"], ...(only && { runOnly: only }) });
    const told = ({ html, failureSummary }) => `${html.slice(0, 300)}\n${failureSummary}`;
    return {
      violations: found.violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 5).map(told) })),
      rules: found.passes.length + found.incomplete.length,
    };
  }, whole ? null : ["color-contrast"]);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious, [], `${path}: accessible`);
  assert.ok(rules > (whole ? 5 : 0), `${path}: axe has looked at the page`);
  looked.add(seen);
  for (const kind of kinds) {
    inLook.add(kind);
    if (whole) known.all.add(kind);
  }
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

/**
 * Ends a session as the page's next change goes out, before the server has it. Ended any earlier, whatever the page
 * still loads would find out first, and what asks for a new sign-in would lie over the button to press.
 */
export async function endSessionAtChange(page, server, token) {
  let ended = false;
  await page.route(/\/api\/v1\//, async (route) => {
    if (!ended && route.request().method() === "PATCH") {
      ended = true;
      await server.request("/auth/logout", { method: "POST", token, expect: 204 });
    }
    await route.fallback();
  });
}

/** Holds back what a pattern asks for, until `go` is called; `answer` is what becomes of it then. */
export async function heldBack(page, pattern, answer = (route) => route.continue()) {
  let release;
  const gate = new Promise((done) => (release = done));
  await page.route(pattern, async (route) => {
    await gate;
    await answer(route).catch(() => undefined);
  });
  return { go: () => release() };
}
