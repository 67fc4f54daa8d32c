// The browser client, as pages of another origin include it from the server.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { serveFolder, sharedBrowser } from "./chromium.mjs";
import { binary } from "./programs.mjs";
import { assertAt, topOfOurs } from "./resolved.mjs";
import { until, sharedServer } from "./server.mjs";
import { Build, places } from "./shop.mjs";
import { after, before, test } from "./suite.mjs";

let server;
let browser;
let folder;
let host;
let pages = 0;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "mayday-client-"));
  [server, browser, host] = await Promise.all([sharedServer(), sharedBrowser(), serveFolder(folder)]);
  const { status } = await server.raw("/client.js", { token: null });
  assert.equal(status, 200, "no client in the server: `npm --prefix assets run build`, then `cargo build`");
});
after(async () => {
  await host?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** What a page puts into its head. */
const snippet = (key, more = "") =>
  `<script src="${server.origin}/client.js" data-key="${key}" data-release="1.4.2" ${more} crossorigin async></script>`;

/**
 * Opens a page with the snippet behind what it does first, waits for the client, and hands over the
 * page and what became of it: errors that its own handlers saw, what the console said, requests.
 */
async function open(project, { first = "", head = snippet(project.key), body = "", routes = async () => {}, waits = true }, act) {
  const name = `page-${(pages += 1)}.html`;
  const seen = `<script>seen=[];addEventListener("error",e=>seen.push("error "+e.message));
    addEventListener("unhandledrejection",e=>seen.push("rejection"));</script>`;
  const html = `<!doctype html><link rel="icon" href="data:,">${seen}<script>${first}</script>${head}<body>${body}`;
  writeFileSync(join(folder, name), html);
  const page = await browser.newPage();
  const logged = [];
  const sent = [];
  page.on("console", (message) => logged.push(message.text()));
  page.on("request", (request) => {
    if (request.url() === `${server.origin}/api/v1/errors`) sent.push(request);
  });
  try {
    await routes(page);
    await page.goto(`${host.origin}/${name}?from=mail`, { waitUntil: "load" });
    if (waits) await page.waitForFunction(() => typeof window.mayday?.captureException === "function");
    await act(page, { logged, sent, url: `${host.origin}/${name}?from=mail` });
  } finally {
    await page.close();
  }
}

/** Counts the answers that the page itself has had; runs before the client, which then uses this fetch. */
const counting = `answered = 0;
  const real = fetch;
  fetch = (...all) => {
    const got = real(...all);
    got.finally(() => setTimeout(() => answered++)).catch(() => {});
    return got;
  };`;

/** Waits until the page has had an answer and done what it does then. */
const hasAnswer = (page) =>
  until("the page has its answer", () => page.evaluate(() => window.answered > 0 || undefined));

/** Runs text in a task of the page's own, so that what it throws is nobody's. */
const task = (page, text) => page.evaluate((code) => void setTimeout(code), text);

const seenBy = (page) => page.evaluate(() => window.seen);

const sees = (page, count) =>
  until(`the page sees ${count} errors of its own`, async () => {
    const seen = await seenBy(page);
    return seen.length >= count ? seen : undefined;
  });

/** Every event of a project, once there are as many, the oldest first. */
async function events(project, count) {
  const { issues } = await project.issuesOf(count);
  const all = [];
  for (const issue of issues) {
    const { events: some } = await server.request(`/api/v1/projects/${project.id}/issues/${issue.id}/events`);
    for (const { event_id: id } of some) all.push(await project.event(id));
  }
  assert.equal(all.length, count);
  return all.sort((one, other) => one.received_at.localeCompare(other.received_at));
}

const counted = async (project) => (await project.issues()).issues.reduce((sum, issue) => sum + issue.event_count, 0);

test("the client is under 6,000 bytes compressed, and pages of any origin may load it", async () => {
  const { headers, text } = await server.raw("/client.js", { token: null, headers: { Origin: host.origin } });
  assert.match(headers.get("content-type") ?? "", /javascript/);
  assert.equal(headers.get("access-control-allow-origin"), "*");
  assert.ok(brotliCompressSync(text).length < 6_000);
  assert.doesNotMatch(text, /sourceMappingURL/);
});

test("an error that nobody catches arrives with all that is known", async () => {
  const project = await server.project("thrown");
  await open(project, { head: snippet(project.key, 'data-environment="staging"') }, async (page, { url, logged }) => {
    const before = Date.now();
    await task(page, "throw new TypeError('price is undefined')");
    const [event] = await events(project, 1);
    assert.equal(event.exception.type, "TypeError");
    assert.equal(event.exception.message, "price is undefined");
    assert.match(event.exception.stack, /^TypeError: price is undefined\n {4}at /);
    assert.deepEqual(event.exception.mechanism, { type: "onerror", handled: false });
    assert.equal(event.level, "error");
    assert.equal(event.release, "1.4.2");
    assert.equal(event.environment, "staging");
    assert.equal(event.url, url);
    assert.match(event.user_agent, /Chrome/);
    assert.equal(event.platform, "javascript");
    assert.equal(event.sdk.name, "mayday.browser");
    assert.equal(event.sdk.version, (await server.request("/meta", { token: null })).serverVersion);
    assert.match(event.event_id, /^[0-9a-f]{32}$/);
    assert.ok(Math.abs(Date.parse(event.timestamp) - before) < 60_000, event.timestamp);
    assert.deepEqual(event.truncated, []);
    assert.deepEqual(await seenBy(page), ["error Uncaught TypeError: price is undefined"]);
    assert.deepEqual(logged, [], "the client logs nothing");
  });
});

test("rejections arrive, whatever the reason is", async () => {
  const project = await server.project("rejected");
  const reasons = {
    "new RangeError('out of range')": ["RangeError", "out of range"],
    "'declined'": ["UnhandledRejection", "declined"],
    undefined: ["UnhandledRejection", "undefined"],
    "({ code: 402, card: '4111 1111 1111 1111' })": ["UnhandledRejection", "[object Object] {code: 402, card}"],
    "new DOMException('The user aborted a request.', 'AbortError')": ["AbortError", "The user aborted a request."],
    "new (document.body.appendChild(document.createElement('iframe')).contentWindow.EvalError)('of a frame')": [
      "EvalError",
      "of a frame",
    ],
  };
  await open(project, {}, async (page) => {
    for (const reason of Object.keys(reasons)) await task(page, `Promise.reject(${reason})`);
    const all = await events(project, Object.keys(reasons).length);
    const got = all.map(({ exception }) => [exception.type, exception.message].join(": ")).sort();
    assert.deepEqual(got, Object.values(reasons).map((words) => words.join(": ")).sort());
    for (const { exception } of all) {
      assert.deepEqual(exception.mechanism, { type: "onunhandledrejection", handled: false });
    }
    assert.deepEqual(await seenBy(page), Array(all.length).fill("rejection"), "none of the client's own");
  });
});

test("an error in an event handler, with what caused it, and what is no error at all", async () => {
  const project = await server.project("handler");
  const body = `<button id="a" onclick="throw new Error('cannot pay', { cause: new TypeError('no card') })">A</button>
    <button id="b" onclick="throw 'just a text'">B</button><button id="c" onclick="throw undefined">C</button>`;
  await open(project, { body }, async (page, { url }) => {
    for (const id of ["a", "b", "c"]) await page.click(`#${id}`);
    const all = await events(project, 3);
    // Three at once arrive in any order.
    const [withCause, text, nothing] = ["cannot pay", "just a text", "undefined"].map((message) => {
      const found = all.find(({ exception }) => exception.message === message);
      assert.ok(found, `${message} arrived`);
      return found;
    });
    assert.equal(withCause.exception.cause.type, "TypeError");
    assert.equal(withCause.exception.cause.message, "no card");
    assert.match(withCause.exception.cause.stack, /^TypeError: no card\n/);
    for (const { exception } of [text, nothing]) {
      assert.equal(exception.frames.length, 1, "the place that the browser names");
      assert.equal(exception.frames[0].url, url);
      assert.ok(exception.frames[0].line > 0 && exception.frames[0].column > 0);
    }
  });
});

test("a caught error is reported as handled", async () => {
  const project = await server.project("caught");
  await open(project, {}, async (page) => {
    await page.evaluate(() => window.mayday.captureException(new Error("caught")));
    const [{ exception }] = await events(project, 1);
    assert.deepEqual(exception.mechanism, { type: "generic", handled: true });
    assert.deepEqual(await seenBy(page), []);
  });
});

test("errors from before the client had loaded arrive when the page kept them", async () => {
  const project = await server.project("early");
  const source = readFileSync(new URL("../../assets/client/script.ts", import.meta.url), "utf8");
  const [, documented] = /<script>(maydayQueue[^]*?)<\/script>/.exec(source.replace(/^ \* ?/gm, ""));
  const first = `${documented};setTimeout(()=>{throw new Error("early")});Promise.reject("early, too")`;
  await open(project, { first }, async (page) => {
    await task(page, "throw new Error('late')");
    const all = await events(project, 3);
    assert.deepEqual(all.map(({ exception }) => exception.message).sort(), ["early", "early, too", "late"]);
  });
});

test("a module loader and a second copy change nothing", async () => {
  const project = await server.project("twice");
  const load = `<script>for (let i = 0; i < 2; i++) { const s = document.createElement("script");
    Object.assign(s, { type: "module", src: "${server.origin}/client.js?" + i }); s.dataset.key = "${project.key}"; document.head.append(s) }</script>`;
  await open(project, { head: load + snippet(project.key) }, async (page, { sent }) => {
    await page.waitForLoadState("networkidle");
    await task(page, "throw new Error('once')");
    await events(project, 1);
    assert.equal(sent.length, 1);
  });
});

const hostile = {
  "a fetch that throws": ["window.fetch = () => { throw new Error('no fetch') }", true],
  "a fetch that rejects": ["window.fetch = () => Promise.reject(new Error('no fetch'))", false],
  "a fetch that answers with a trap": [
    "window.fetch = () => new Proxy({}, { get() { throw new Error('trap') } })",
    false,
  ],
  "neither fetch nor beacon": ["window.fetch = undefined; navigator.sendBeacon = undefined", false],
  "a broken JSON": ["JSON.stringify = () => { throw new Error('no JSON') }", false],
  "patched errors": [
    "Object.defineProperty(Error.prototype, 'name', { get() { throw new Error('no name') } })",
    true,
  ],
  "a broken crypto": ["Object.defineProperty(window, 'crypto', { get() { throw new Error('no crypto') } })", true],
  "an element named mayday": ["document.write('<p id=mayday></p>')", true],
  "a stack that is no text": ["Error.prepareStackTrace = () => ({ frames: [] })", true],
};

for (const [what, [first, arrives]] of Object.entries(hostile)) {
  test(`a page with ${what} sees its own errors only`, async () => {
    const project = await server.project(what);
    const head = snippet(project.key, 'onload="hasRun = true"');
    await open(project, { first, head, waits: false }, async (page, { logged }) => {
      await until("the client has run", () => page.evaluate(() => window.hasRun || undefined));
      await task(page, "throw new Error('of the page')");
      await task(page, "Promise.reject('of the page, too')");
      const seen = await sees(page, 2);
      assert.equal(seen.length, 2, seen.join());
      assert.ok(seen.includes("rejection"), seen.join());
      if (arrives) await events(project, 2);
      else await page.waitForTimeout(300);
      assert.equal((await seenBy(page)).length, 2, "nothing of the client's came later");
      assert.deepEqual(logged, []);
    });
  });
}

test("values whose getters throw are still sent", async () => {
  const project = await server.project("biting");
  const values = [
    "new Proxy({}, { get() { throw new Error('trap') }, ownKeys() { throw new Error('trap') } })",
    "Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('getter') } })",
    "Object.freeze(new Error('frozen'))",
    "(() => { const circle = new Error('circle'); circle.cause = circle; return circle })()",
    "({ big: 10n, toJSON() { throw new Error('toJSON') } })",
    "new Error('x'.repeat(2000000))",
  ];
  await open(project, {}, async (page) => {
    for (const value of values) await task(page, `Promise.reject(${value})`);
    const all = await events(project, values.length);
    const messages = all.map(({ exception }) => exception.message);
    for (const wanted of ["frozen", "circle", "[object Object] {big: 10, toJSON}", "x".repeat(8_192)]) {
      assert.ok(messages.includes(wanted), `${wanted.slice(0, 50)} of ${messages.map((text) => text?.slice(0, 50))}`);
    }
    assert.deepEqual(await seenBy(page), Array(values.length).fill("rejection"));
  });
});

test("a server that is away leaves the page as it is", async () => {
  const project = await server.project("away");
  const routes = (page) => page.route("**/api/v1/errors", (route) => route.abort("connectionrefused"));
  await open(project, { routes }, async (page, { logged, sent }) => {
    await task(page, "throw new Error('first')");
    await task(page, "throw new Error('second')");
    await until("both were tried", () => (sent.length === 2 ? true : undefined));
    await page.waitForTimeout(300);
    assert.equal((await seenBy(page)).length, 2);
    assert.ok(logged.every((text) => /^Failed to load resource/.test(text)), logged.join());
  });
});

test("with a wrong key it sends one event and is quiet", async () => {
  const project = await server.project("wrong key");
  await open(project, { first: counting, head: snippet("pk_wrong") }, async (page, { logged, sent }) => {
    await task(page, "throw new Error('first')");
    await until("it was refused", async () => (sent[0] && (await sent[0].response()) ? true : undefined));
    await hasAnswer(page);
    await task(page, "throw new Error('second')");
    assert.equal((await sees(page, 2)).length, 2);
    await page.waitForTimeout(300);
    assert.equal(sent.length, 1);
    assert.ok(logged.every((text) => /401/.test(text)), logged.join());
  });
});

test("told to wait it waits", async () => {
  const project = await server.project("limited");
  const headers = { "Retry-After": "60", "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After" };
  const routes = (page) => page.route("**/api/v1/errors", (route) => route.fulfill({ status: 429, headers, body: "{}" }));
  await open(project, { first: counting, routes }, async (page, { sent }) => {
    await task(page, "throw new Error('first')");
    await until("it was refused", async () => (sent[0] && (await sent[0].response()) ? true : undefined));
    await hasAnswer(page);
    await task(page, "throw new Error('second')");
    await sees(page, 2);
    await page.waitForTimeout(300);
    assert.equal(sent.length, 1);
  });
});

test("endless errors are batched and limited", async () => {
  const project = await server.project("loop");
  await open(project, {}, async (page, { sent }) => {
    const began = Date.now();
    await task(page, "for (let i = 0; i < 1000; i++) setTimeout(() => { throw new Error('the same') })");
    await sees(page, 1_000);
    await until("one was sent", () => sent.length >= 1 || undefined);
    // One a second.
    const most = 2 + Math.ceil((Date.now() - began) / 1_000);
    assert.ok(sent.length <= most, `${sent.length} requests for one error`);
    await task(page, "for (let i = 0; i < 1000; i++) setTimeout(() => { throw new Error('number ' + i) })");
    await sees(page, 2_000);
    await until("thirty were sent", () => (sent.length >= 30 ? true : undefined));
    assert.equal(sent.length, 30, "for a thousand different ones");
    await project.issuesOf(30);
    assert.equal(await counted(project), 30);
  });
});

test("what a page throws as it goes away still arrives", async () => {
  const project = await server.project("leaving");
  const body = `<button onclick="location.href='about:blank'; throw new Error('before leaving')">Leave</button>`;
  const first = "addEventListener('pagehide', () => { throw new Error('while leaving') })";
  await open(project, { first, body }, async (page) => {
    await page.click("button");
    await page.waitForURL("about:blank");
    // The profile of a page that is closed here ends with it, and so would requests that outlive the page.
    const all = await events(project, 2);
    assert.deepEqual(all.map(({ exception }) => exception.message).sort(), ["before leaving", "while leaving"]);
  });
});

/** Buys something that has no price, in a copy of the application that includes the client. */
async function buys(project, prepare, act) {
  const copy = mkdtempSync(join(folder, "shop-"));
  cpSync(new Build("browser-a").folder, copy, { recursive: true });
  await prepare(copy);
  const index = readFileSync(join(copy, "index.html"), "utf8");
  writeFileSync(join(copy, "index.html"), index.replace("<head>", `<head>${snippet(project.key)}`));
  const shop = await serveFolder(copy);
  const page = await browser.newPage();
  try {
    await page.goto(shop.origin);
    await page.waitForFunction(() => window.mayday);
    await page.click("button[data-sku]");
    await page.click("#pay-unknown");
    const [event] = await events(project, 1);
    assert.equal(event.exception.type, "RangeError");
    await act(event, copy);
  } finally {
    await page.close();
    await shop.close();
  }
}

test("an application's error leads to its original source", async () => {
  const project = await server.project("shop");
  const uploads = () => project.release("1.4.2", "~/", new Build("browser-a").maps("~/"));
  await buys(project, uploads, async (event) => {
    assertAt(topOfOurs(event), places.price, "RangeError(");
    assert.match((await project.issues()).issues[0].culprit, /priceOf \(src\/price\.ts\)/);
  });
});

test("an injected build's error finds its source map by debug id, whatever the release and however late", async () => {
  const project = await server.project("injected");
  const env = { ...process.env, MAYDAY_URL: server.origin, MAYDAY_KEY: project.key };
  const mayday = (...words) => promisify(execFile)(binary, ["sourcemaps", ...words], { env });
  await buys(project, (copy) => mayday("inject", copy), async (event, copy) => {
    assert.equal(event.exception.frames.filter(({ resolved }) => resolved).length, 0, "no source map is there yet");
    const culprit = async () => (await project.issues()).issues[0].culprit;
    assert.doesNotMatch(await culprit(), /price\.ts/);
    await mayday("upload", "--release", "build-c", "--url-prefix", "~/elsewhere/", copy);
    const top = topOfOurs(await project.event(event.event_id));
    assertAt(top, places.price, "RangeError(");
    assert.equal(top.resolved.matched_by_debug_id, true);
    await until("the issue has its original names", async () => (/priceOf \(src\/price\.ts\)/.test(await culprit()) ? true : undefined));
  });
});
