// The browser client in a page with a strict content security policy: what it sees, keeps and leaves alone.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { sharedBrowser } from "./chromium.mjs";
import { Server, until } from "./server.mjs";
import { after, before, test } from "./suite.mjs";

let server;
let browser;
let site;
let other;

before(async () => {
  [server, browser, site, other] = await Promise.all([Server.start(), sharedBrowser(), serve(), serve()]);
});
after(async () => {
  await Promise.all([site?.close(), other?.close(), server?.stop()]);
});

/** A site whose pages, by path, are what `pages` says; it keeps the requests for everything else. */
async function serve() {
  const pages = {};
  const requests = [];
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    const page = pages[pathname];
    if (pathname === "/broken") return response.destroy();
    if (!page) requests.push({ method: request.method, path: request.url, traceparent: request.headers.traceparent });
    response.writeHead(page || pathname !== "/missing" ? 200 : 404, { "Access-Control-Allow-Origin": "*", "Content-Type": "text/plain", ...page?.headers });
    response.end(page?.text);
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  const close = () => new Promise((done) => http.close(done) && http.closeAllConnections());
  return { origin: `http://127.0.0.1:${http.address().port}`, pages, requests, close };
}

const policy = () =>
  `default-src 'none'; script-src ${server.origin}; connect-src ${server.origin} 'self' ${other.origin}; require-trusted-types-for 'script'`;

const put = (path, text, type, headers = {}) => {
  site.pages[path] = { text, headers: { "Content-Type": `text/${type}; charset=utf-8`, ...headers } };
  return site.origin + path;
};

const tag = (key, more = "") =>
  `<script src="${server.origin}/client.js" data-key="${key}" data-release="1.4.2" ${more} crossorigin async></script>`;

/** Opens a page with the client and a strict policy; nothing may break the policy, and the console stays silent. */
async function open(project, { more = "", body = "", expected = /^$/ }, act) {
  const html = `<!doctype html><link rel="icon" href="data:,"><title>Shop</title>${tag(project.key, more)}<body>${body}`;
  const address = put("/page", html.replace(/<link.*?>/, ""), "html", { "Content-Security-Policy": policy() });
  const context = await browser.newContext();
  const page = await context.newPage();
  const logged = [];
  page.on("console", (message) => logged.push(message.text()));
  try {
    await page.goto(address);
    await page.waitForFunction(() => window.mayday?.captureException);
    await act(page, context);
    const unexpected = logged.filter((text) => !expected.test(text) && !/favicon/.test(text));
    assert.deepEqual(unexpected, []);
  } finally {
    await context.close();
  }
}

const fail = (page, message) => page.evaluate((text) => void setTimeout(() => { throw new Error(text); }), message);

async function eventsOf(project, count) {
  const { issues } = await project.issuesOf(count);
  const lists = issues.map(({ id }) => server.request(`/api/v1/projects/${project.id}/issues/${id}/events`));
  const ids = (await Promise.all(lists)).flatMap(({ events }) => events.map((event) => event.event_id));
  return Promise.all(ids.map((id) => project.event(id)));
}

const eventOf = async (project) => (await eventsOf(project, 1))[0];
const logsOf = async (project) => (await server.request(`/api/v1/projects/${project.id}/logs`)).logs;
const hasLogs = (project, count) =>
  until(`${count} log entries`, async () => {
    const logs = await logsOf(project);
    return logs.length >= count ? logs : undefined;
  });

test("under a strict policy an error comes with what happened before it, and with no secrets", async () => {
  const project = await server.project("crumbs");
  const body = `<form id="pay"><input name="card" value="visa-4111"><button type="button" class="big primary">Pay for Ada</button></form>`;
  await open(project, { body, expected: /^(cart|Failed to load resource)/ }, async (page) => {
    await page.fill("input", "visa-4242");
    await page.click("button");
    await page.evaluate(async (origin) => {
      console.warn("cart", { items: 3 });
      history.pushState({}, "", "/cart?token=hush&page=2");
      await (await fetch("/missing?password=hush&q=tea")).text();
      await fetch("/broken").catch(() => {});
      await new Promise((done) => {
        const xhr = new XMLHttpRequest();
        xhr.onloadend = () => setTimeout(done);
        xhr.open("post", `${origin}/orders`);
        xhr.send("card=visa-4111");
      });
      window.mayday.addBreadcrumb({ category: "cart", message: "own", data: { items: 3 } });
      window.mayday.logger.info`not a breadcrumb`;
      await window.mayday.flush();
    }, site.origin);
    await fail(page, "at last");
    const event = await eventOf(project);
    const crumbs = event.breadcrumbs.map(({ category, message, data, level }) => [category, message ?? data, level]);
    for (const [, said] of crumbs) delete said.duration;
    assert.deepEqual(crumbs, [
      ["ui.click", "body > form#pay > button.big.primary", null],
      ["console", "cart [object Object]", "warning"],
      ["navigation", { from: `${site.origin}/page`, to: `${site.origin}/cart?token=[Filtered]&page=2` }, null],
      ["fetch", { method: "GET", url: "/missing?password=[Filtered]&q=tea", status_code: 404 }, "error"],
      ["fetch", { method: "GET", url: "/broken", status_code: 0 }, "error"],
      ["xhr", { method: "POST", url: `${site.origin}/orders`, status_code: 200 }, "info"],
      ["cart", "own", null],
    ]);
    assert.equal(event.url, `${site.origin}/cart?token=[Filtered]&page=2`);
    assert.doesNotMatch(JSON.stringify(event), /visa|hush|Pay for/);
    assert.match(event.session_id, /^[0-9a-f]{32}$/);
    assert.match(event.window_id, /^[0-9a-f]{32}$/);
  });
});

test("log entries keep their template, and stand beside the error of their trace", async () => {
  const project = await server.project("logs");
  await open(project, {}, async (page) => {
    const id = await page.evaluate(async () => {
      const { mayday } = window;
      mayday.setUser({ id: 7, email: "ada@example.com" });
      const order = 5;
      mayday.logger.info`Order ${{ order }} of ${"Ada"} is late`;
      mayday.logger.error("Payment of {amount} failed", { amount: 9.5, tries: [1, 2] });
      const event = mayday.captureException(new Error("late"));
      history.pushState({}, "", "/next");
      mayday.logger.fatal`another page`;
      await mayday.flush();
      return event;
    });
    await project.event(id);
    await hasLogs(project, 3);
    const { logs } = await server.request(`/api/v1/events/${id}/logs`);
    assert.deepEqual(
      logs.map(({ level, message, template, attributes, user_id: user, release }) => ({ level, message, template, attributes, user, release })),
      [
        { level: "info", message: "Order 5 of Ada is late", template: "Order {order} of {1} is late", attributes: { order: 5, 1: "Ada" }, user: "7", release: "1.4.2" },
        { level: "error", message: "Payment of 9.5 failed", template: "Payment of {amount} failed", attributes: { amount: 9.5, tries: [1, 2] }, user: "7", release: "1.4.2" },
      ],
    );
  });
});

test("an event has the account that the page has set, until it has none", async () => {
  const project = await server.project("accounts");
  await open(project, {}, async (page) => {
    const ids = await page.evaluate(async () => {
      const { mayday } = window;
      mayday.setAccount({ id: 42, name: "Acme" });
      const events = [mayday.captureMessage("of an account")];
      mayday.setAccount(null);
      events.push(mayday.captureMessage("of nobody"));
      await mayday.flush();
      return events;
    });
    const [of, none] = await Promise.all(ids.map((id) => project.event(id)));
    assert.deepEqual([of.account.id, of.account.name, none.account], ["42", "Acme", null]);
    // Errors that nobody catches are of the account, too.
    await page.evaluate(() => window.mayday.setAccount({ id: "globex" }));
    await fail(page, "at checkout");
    const thrown = (await eventsOf(project, 3)).find(({ exception }) => exception?.message === "at checkout");
    assert.equal(thrown.account.id, "globex");
  });
});

test("the trace goes along with requests to the page's own origin, and with no others", async () => {
  const project = await server.project("traces");
  site.requests.length = 0;
  other.requests.length = 0;
  await open(project, {}, async (page) => {
    const id = await page.evaluate(async (elsewhere) => {
      const xhr = (url) => new Promise((done) => {
        const request = new XMLHttpRequest();
        request.onloadend = done;
        request.open("GET", url);
        request.send();
      });
      await fetch("/fetch");
      await fetch(new URL("/url", location.href), { headers: { Accept: "text/plain" } });
      await fetch(new Request("/request"));
      await fetch("/own", { headers: { traceparent: "mine" } });
      await xhr("/xhr");
      await fetch(`${elsewhere}/fetch`);
      await xhr(`${elsewhere}/xhr`);
      return window.mayday.captureMessage("x");
    }, other.origin);
    const { trace_id: trace } = await project.event(id);
    const sent = new Map(site.requests.map(({ path, traceparent }) => [path, traceparent]));
    const spans = ["/fetch", "/url", "/request", "/xhr"].map((path) => {
      const [, found, span] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(sent.get(path)) ?? [];
      assert.equal(found, trace, path);
      return span;
    });
    assert.equal(new Set(spans).size, 4);
    assert.equal(sent.get("/own"), "mine");
    assert.deepEqual(other.requests.map(({ method, traceparent }) => [method, traceparent]), [["GET", undefined], ["GET", undefined]]);
  });
});

test("attributes of the tag turn off breadcrumbs, the trace and what is stored", async () => {
  const project = await server.project("off");
  const more = 'data-breadcrumbs="" data-tracing="false" data-storage="false" data-environment="staging" data-sample-rate="1"';
  site.requests.length = 0;
  await open(project, { more, body: "<button>A</button>", expected: /^cart$/ }, async (page) => {
    await page.click("button");
    const stored = await page.evaluate(async () => {
      console.log("cart");
      await fetch("/untraced");
      window.mayday.captureMessage("quiet");
      return [localStorage.length, sessionStorage.length];
    });
    assert.deepEqual(stored, [0, 0]);
    const event = await eventOf(project);
    assert.deepEqual(event.breadcrumbs, []);
    assert.equal(event.environment, "staging");
    assert.deepEqual(site.requests.filter(({ path }) => path === "/untraced").map(({ traceparent }) => traceparent), [undefined]);
  });
});

test("functions of the page stay what they are, and are as before once it is closed", async () => {
  const project = await server.project("restored");
  await open(project, { expected: /^hello$/ }, async (page) => {
    const [during, after] = await page.evaluate(async () => {
      const frame = document.body.appendChild(document.createElement("iframe")).contentWindow;
      const parts = (from) => [from.fetch, from.console.log, from.history.pushState, from.XMLHttpRequest.prototype.open, from.XMLHttpRequest.prototype.send];
      const looks = (from) => parts(from).map((each) => [each.name, each.length, String(each).replace(/\s+/g, " ").includes("[native code]")]);
      const told = [];
      const unhandled = new Promise((done) => addEventListener("unhandledrejection", (event) => { event.preventDefault(); done(event.reason.name); }));
      told.push(JSON.stringify(looks(window)) === JSON.stringify(looks(frame)));
      told.push(console.log("hello") === undefined, fetch("/x") instanceof Promise);
      try { fetch.call({}, "/x"); } catch (error) { told.push(error.name); }
      try { history.pushState({}, "", "https://elsewhere.example/"); } catch (error) { told.push(error.name); }
      void fetch("http://[");
      told.push(await unhandled);
      const ours = parts(window);
      await window.mayday.close();
      const restored = parts(window).map((each, index) => each !== ours[index]);
      setTimeout(() => { throw new Error("after the end"); });
      await new Promise((done) => setTimeout(done, 50));
      return [told, restored];
    });
    assert.deepEqual(during.slice(0, 3), [true, true, true]);
    assert.ok(during.includes("SecurityError") && during.at(-1) === "TypeError", during.join());
    assert.deepEqual(after, Array(5).fill(true));
    const titles = (await project.issues()).issues.map(({ title }) => title);
    assert.ok(!titles.some((title) => /after the end/.test(title)), titles.join());
  });
});

test("offline it keeps what it has, and sends it as soon as it is online", async () => {
  const project = await server.project("offline");
  await open(project, {}, async (page, context) => {
    await context.setOffline(true);
    await fail(page, "offline");
    await page.evaluate(() => window.mayday.logger.warn`offline, too`);
    await page.evaluate(() => window.mayday.flush(300));
    assert.equal((await project.issues()).total, 0);
    await context.setOffline(false);
    assert.equal((await eventOf(project)).exception.message, "offline");
    assert.equal((await hasLogs(project, 1))[0].message, "offline, too");
  });
});

test("what a server that was away did not take arrives when it is back, once", async () => {
  const project = await server.project("away");
  await open(project, { expected: /^Failed to load resource/ }, async (page) => {
    await server.goAway();
    try {
      await fail(page, "first");
      await fail(page, "second");
      await page.evaluate(() => window.mayday.logger.warn`while it was away`);
      assert.equal(await page.evaluate(() => window.mayday.flush(300)), false);
    } finally {
      await server.comeBack();
    }
    const events = await eventsOf(project, 2);
    assert.deepEqual(events.map(({ exception }) => exception.message).sort(), ["first", "second"]);
    assert.equal((await hasLogs(project, 1)).length, 1);
  });
});

test("what is written just before a page goes away arrives", async () => {
  const project = await server.project("leaving");
  await open(project, {}, async (page) => {
    await page.evaluate(() => {
      for (let index = 0; index < 20; index++) window.mayday.logger.info`entry ${{ index }}`;
    });
    await page.goto("about:blank");
    assert.equal((await hasLogs(project, 20)).length, 20);
  });
});

test("a script of another origin that hides its errors is one event", async () => {
  const project = await server.project("hidden");
  const script = "for (let i = 0; i < 5; i++) queueMicrotask(() => { throw new Error('secret') })";
  other.pages["/hidden.js"] = { text: script, headers: { "Content-Type": "text/javascript" } };
  const address = put("/hidden", `<!doctype html>${tag(project.key)}<body>`, "html");
  const page = await browser.newPage();
  try {
    await page.goto(address);
    await page.waitForFunction(() => window.mayday?.captureException);
    await page.addScriptTag({ url: `${other.origin}/hidden.js` });
    assert.equal((await eventOf(project)).exception.message, "Script error.");
    await page.waitForTimeout(200);
    assert.equal((await project.issues()).issues[0].event_count, 1);
  } finally {
    await page.close();
  }
});

test("frames without storage, and workers of all three kinds, report as pages do", async () => {
  const project = await server.project("elsewhere");
  put("/worker.js", `importScripts("${server.origin}/client.js");
    mayday.init({ key: "${project.key}", url: "${server.origin}", release: "2.0.0" });
    setTimeout(() => { throw new TypeError("in " + self.constructor.name) }, 50);
    mayday.logger.info("log of " + self.constructor.name);
    void mayday.flush();`, "javascript");
  put("/frame", `<!doctype html>${tag(project.key)}<script>addEventListener("load", () => setTimeout(() => { throw new Error("in a frame") }))</script>`, "html");
  const address = put("/frames", `<!doctype html><iframe sandbox="allow-scripts" src="/frame"></iframe>`, "html");
  const context = await browser.newContext();
  const page = await context.newPage();
  try {
    await page.goto(address);
    await page.evaluate(() => {
      new Worker("/worker.js").onerror = (event) => event.preventDefault();
      window.shared = new SharedWorker("/worker.js");
      void navigator.serviceWorker.register("/worker.js");
    });
    const events = await eventsOf(project, 4);
    assert.deepEqual(events.map(({ exception }) => exception.message).sort(), [
      "in DedicatedWorkerGlobalScope",
      "in ServiceWorkerGlobalScope",
      "in SharedWorkerGlobalScope",
      "in a frame",
    ]);
    const logs = await hasLogs(project, 3);
    assert.equal(new Set(logs.map(({ message }) => message)).size, 3);
    for (const { exception } of events) assert.equal(exception.mechanism.handled, false);
  } finally {
    await context.close();
  }
});
