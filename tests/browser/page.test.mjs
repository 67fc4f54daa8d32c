// The page that stands in the place of the Web app, opened as a person opens it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { launch } from "./chromium.mjs";
import { Project, Server, owner, testWith, until } from "./server.mjs";
import { Build } from "./shop.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const output = join(here, "output");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const run = promisify(execFile);

let server;
let unclaimed;
let browser;
const test = testWith(() => [server, unclaimed]);

before(async () => {
  mkdirSync(output, { recursive: true });
  [server, unclaimed, browser] = await Promise.all([Server.start(), Server.start({ claim: false }), launch()]);
  const { text } = await server.raw("/", { token: null });
  assert.match(text, /<div id="app">/, "no Web app in the server: `npm --prefix assets run build`, then `cargo build`");
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await unclaimed?.stop();
});

/** Signed out, the app asks who is signed in and is told 401; browsers log that, and nothing else. */
const expected = (message) => message.location().url.endsWith("/api/v1/me") && message.text().includes("401");

/**
 * Opens a path and hands the page to `look`, then asserts that it logged no error, made no request
 * to anyone else, broke no rule of the content security policy and does not scroll sideways.
 */
async function open(origin, path, { width = 1440, scheme = "light", context, allow = expected } = {}, look) {
  const own = context === undefined;
  const opened = context ?? (await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme }));
  const page = await opened.newPage();
  const problems = [];
  const requests = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !allow(message)) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  try {
    const response = await page.goto(origin + path);
    await settled(page);
    await look(page, response);
    assert.deepEqual(problems, [], `${path}: nothing is logged`);
    const foreign = requests.filter((url) => !url.startsWith(`${origin}/`));
    assert.deepEqual(foreign, [], `${path}: no request to anyone else`);
    assert.ok(requests.some((url) => url === `${origin}/meta`), `${path}: the requests were seen`);
    const { scroll, shown } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      shown: document.documentElement.clientWidth,
    }));
    assert.ok(scroll <= shown, `${path}: ${scroll} px wide on a screen of ${shown} px`);
  } finally {
    await (own ? opened : page).close();
  }
}

/** Waits until every placeholder has been replaced by what the server said. */
async function settled(page) {
  await page.waitForSelector("h1");
  await page.waitForFunction(() => document.querySelectorAll(".skeleton").length === 0);
}

const fact = (page, label) =>
  page.locator(".fact", { has: page.locator("dt", { hasText: label }) }).locator("dd").innerText();

/** The directives of a content security policy by name. */
function policyOf(header) {
  return Object.fromEntries(
    header
      .split(";")
      .map((part) => part.trim().split(/\s+/))
      .filter(([name]) => name !== "")
      .map(([name, ...sources]) => [name, sources]),
  );
}

for (const scheme of ["light", "dark"]) {
  for (const width of [1440, 390]) {
    for (const path of ["/", "/setup", "/some/unknown/path"]) {
      test(`${path} is whole and accessible at ${width} px, ${scheme}`, async () => {
        await open(server.origin, path, { width, scheme }, async (page, response) => {
          assert.equal(response.status(), 200);
          assert.match(response.headers()["content-type"], /^text\/html/);
          assert.match(await fact(page, "Status"), /Up/);
          assert.match(await fact(page, "Version"), /^\d+\.\d+\.\d+/);
          assert.equal(await fact(page, "Signed in"), "Nobody");
          assert.equal(await page.evaluate((wanted) => matchMedia(`(prefers-color-scheme: ${wanted})`).matches, scheme), true);
          const name = path === "/" ? "home" : path.split("/").at(-1);
          await page.screenshot({ path: join(output, `${name}-${width}-${scheme}.png`), fullPage: true });
          const wider = (all) => all.filter((pre) => pre.scrollWidth > pre.clientWidth).length;
          if (width === 1440) assert.equal(await page.locator("pre").evaluateAll(wider), 0, "every command is shown whole");
          await page.evaluate(axe);
          const { violations, passes } = await page.evaluate(() => window.axe.run());
          const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
          assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
          assert.ok(passes.length > 10, "axe has looked at the page");
        });
      });
    }
  }
}

test("the start page tells the instance's name and the way from claim to a resolved error", async () => {
  const meta = await server.request("/meta", { token: null });
  await open(server.origin, "/", {}, async (page) => {
    assert.equal(await fact(page, "Version"), meta.serverVersion);
    const name = meta.capabilities.deployment.displayName || new URL(server.origin).hostname;
    assert.equal(await fact(page, "Instance"), name);
    const titles = await page.locator(".step h2").allInnerTexts();
    assert.equal(titles.length, 7);
    assert.match(titles[0], /Claim/);
    assert.match(titles[6], /Read it/);
    assert.ok((await page.locator(".snippet code").first().innerText()).includes(server.origin));
  });
});

test("an unknown address says that it is one, with its path as plain text", async () => {
  await open(server.origin, "/some/%3Cimg%20src=x%3E/path", {}, async (page) => {
    assert.match(await page.locator(".notice").innerText(), /There is no page at \/some\/%3Cimg/);
    assert.equal(await page.locator("main img").count(), 0);
  });
});

test("a server that is degraded or silent is said to be so, and the page stays of use", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 900 } });
  const body = JSON.stringify({ status: "degraded", reason: "the database cannot be written" });
  await context.route("**/health", (route) => route.fulfill({ status: 503, contentType: "application/json", body }));
  await context.route("**/meta", (route) => route.abort());
  const failing = (message) => expected(message) || /503|ERR_FAILED/.test(message.text());
  try {
    await open(server.origin, "/", { context, allow: failing }, async (page) => {
      assert.match(await fact(page, "Status"), /Degraded: the database cannot be written/);
      assert.match(await fact(page, "Version"), /Unknown/);
      assert.equal(await page.locator(".step").count(), 7);
      await page.screenshot({ path: join(output, "home-degraded-390-light.png"), fullPage: true });
    });
  } finally {
    await context.close();
  }
});

test("a snippet is copied as it is shown", async () => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  try {
    await open(server.origin, "/", { context }, async (page) => {
      const first = page.locator(".snippet").first();
      await first.getByRole("button").click();
      await first.getByText("Copied").waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(copied, await first.locator("code").textContent());
    });
  } finally {
    await context.close();
  }
});

test("every answer of the Web app carries its content security policy", async () => {
  const page = await server.raw("/", { token: null });
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1];
  assert.ok(script, "the page names its script");
  for (const path of ["/", "/setup", "/some/unknown/path", script]) {
    const { headers } = await server.raw(path, { token: null });
    const policy = policyOf(headers.get("content-security-policy") ?? "");
    for (const name of ["default-src", "frame-ancestors", "base-uri"]) {
      assert.deepEqual(policy[name], ["'none'"], `${path}: ${name}`);
    }
    for (const name of ["script-src", "style-src", "connect-src", "font-src"]) {
      assert.deepEqual(policy[name], ["'self'"], `${path}: ${name}`);
    }
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
  }
});

test("hashed assets are kept for a year, compressed; the page itself is not kept", async () => {
  const page = await server.raw("/", { token: null });
  assert.match(page.headers.get("cache-control") ?? "", /no-store/);
  const names = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path);
  assert.equal(names.length, 2);
  for (const path of names) {
    for (const encoding of ["br", "gzip"]) {
      const { status, headers, text } = await server.raw(path, { token: null, headers: { "Accept-Encoding": encoding } });
      assert.equal(status, 200);
      assert.equal(headers.get("content-encoding"), encoding, path);
      assert.match(headers.get("cache-control") ?? "", /max-age=31536000.*immutable/, path);
      assert.match(headers.get("vary") ?? "", /accept-encoding/i, path);
      const plain = await server.raw(path, { token: null, headers: { "Accept-Encoding": "identity" } });
      assert.equal(plain.headers.get("content-encoding"), null, path);
      assert.equal(text, plain.text, `${path}: the same text, compressed or not`);
    }
  }
});

test("the licence of the typefaces is served with them", async () => {
  const { status, headers, text } = await server.raw("/NOTICE.txt", { token: null });
  assert.equal(status, 200);
  assert.match(headers.get("content-type") ?? "", /^text\/plain/);
  for (const words of ["Inter Project Authors", "JetBrains Mono Project Authors", "SIL OPEN FONT LICENSE Version 1.1"]) {
    assert.ok(text.includes(words), words);
  }
});

test("an asset that does not exist is 404 and not the page", async () => {
  const { status, headers } = await server.raw("/assets/no-such-file-12345678.js", { token: null });
  assert.equal(status, 404);
  assert.doesNotMatch(headers.get("content-type") ?? "", /javascript/);
});

test("an API path that does not exist is 404 in JSON and not the page", async () => {
  const { status, headers, body } = await server.raw("/api/v1/no-such-thing");
  assert.equal(status, 404);
  assert.match(headers.get("content-type") ?? "", /^application\/json/);
  assert.equal(typeof body.detail, "string");
});

test("the setup form tells beside each field what is wrong before it sends anything", async () => {
  await open(unclaimed.origin, "/setup", {}, async (page) => {
    let posts = 0;
    page.on("request", (request) => (posts += request.method() === "POST" ? 1 : 0));
    await page.fill("#setup_token", "not a token");
    await page.fill("#password", "short");
    await page.click("button[type=submit]");
    assert.match(await page.locator("#setup_token-error").innerText(), /eight groups/);
    assert.match(await page.locator("#email-error").innerText(), /e-mail/);
    assert.match(await page.locator("#password-error").innerText(), /12 to 256/);
    assert.match(await page.locator("#organization_name-error").innerText(), /organization/);
    assert.equal(await page.evaluate(() => document.activeElement.id), "setup_token");
    assert.equal(posts, 0);
    await page.screenshot({ path: join(output, "setup-problems-1440-light.png"), fullPage: true });
  });
});

test("a wrong setup token is refused and the form shows the server's own words", async () => {
  const refused = (message) => expected(message) || message.text().includes("403");
  const wrong = Array(8).fill("0000").join("-");
  await open(unclaimed.origin, `/setup#token=${wrong}`, { allow: refused, width: 390, scheme: "dark" }, async (page) => {
    assert.equal(await page.inputValue("#setup_token"), wrong);
    await page.fill("#email", owner.email);
    await page.fill("#password", owner.password);
    await page.fill("#organization_name", owner.organization_name);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/auth/setup")),
      page.click("button[type=submit]"),
    ]);
    assert.equal(answer.status(), 403);
    const { detail } = await answer.json();
    await page.waitForFunction(() => document.querySelector(".message")?.textContent !== "");
    assert.equal(await page.locator(".message").innerText(), detail);
    assert.equal(await page.inputValue("#email"), owner.email, "what was typed stays");
    await page.screenshot({ path: join(output, "setup-refused-390-dark.png"), fullPage: true });
  });
});

test("a person claims the instance by keyboard, is signed in, and cannot claim it again", async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const { origin, setupToken } = unclaimed;
  try {
    await open(origin, `/setup#token=${setupToken}`, { context }, async (page) => {
      assert.equal(await page.inputValue("#setup_token"), setupToken);
      assert.equal(new URL(page.url()).hash, "", "the token does not stay in the address");
      await page.focus("#setup_token");
      for (const text of [owner.email, owner.password, owner.organization_name, owner.name]) {
        await page.keyboard.press("Tab");
        await page.keyboard.type(text);
      }
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "This instance is yours" }).waitFor();
      const words = await page.locator("main").innerText();
      assert.ok(words.includes(owner.email) && words.includes(owner.organization_name), words);
      await page.waitForFunction((name) => document.querySelector(".facts")?.textContent?.endsWith(name), owner.name);
      await page.screenshot({ path: join(output, "setup-claimed-1440-light.png"), fullPage: true });
    });

    const [cookie, ...others] = await context.cookies();
    assert.deepEqual(others, []);
    assert.equal(cookie.name, "mayday_session");
    assert.equal(cookie.httpOnly, true);
    assert.equal(cookie.sameSite, "Lax");

    await open(origin, "/", { context, allow: () => false }, async (page) => {
      assert.equal(await fact(page, "Signed in"), owner.name);
      assert.match(await page.locator(".who").innerText(), /Signed in as Ada \(ada@example\.com\)/);
      await page.screenshot({ path: join(output, "home-signed-in-1440-light.png"), fullPage: true });
    });

    const gone = (message) => message.text().includes("404");
    await open(origin, `/setup#token=${setupToken}`, { context, allow: gone }, async (page) => {
      await page.fill("#email", "eve@example.com");
      await page.fill("#password", owner.password);
      await page.fill("#organization_name", "Eve");
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith("/auth/setup")),
        page.click("button[type=submit]"),
      ]);
      assert.equal(answer.status(), 404);
      await page.waitForFunction(() => document.querySelector(".message")?.textContent !== "");
      assert.equal(await page.locator(".message").innerText(), (await answer.json()).detail);
    });
  } finally {
    await context.close();
  }
});

test("the snippets of the start page lead from claim to a read error when pasted one after the other", async () => {
  const fresh = await Server.start({ claim: false });
  const folder = mkdtempSync(join(tmpdir(), "mayday-snippets-"));
  try {
    let commands = [];
    let signIn = "";
    await open(fresh.origin, "/", {}, async (page) => {
      signIn = await page.locator(".instead code").textContent();
      commands = await page.locator(".step").evaluateAll((steps) => steps.map((step) => step.querySelector(".command code").textContent));
    });
    assert.equal(commands.length, 7);

    mkdirSync(join(folder, "dist", "assets"), { recursive: true });
    writeFileSync(join(folder, "dist", "assets", "app.js.map"), new Build("node-a").map("shop.mjs"));
    const env = { PATH: process.env.PATH, MAYDAY_URL: fresh.origin, SETUP_TOKEN: fresh.setupToken };
    /** Runs one step in a shell that has what the steps before told to keep; returns its answers. */
    const paste = async (command) => {
      const checked = command.replaceAll(/^curl -sS/gm, "curl -sS --fail-with-body -w '\\n'");
      const { stdout } = await run("bash", ["--norc", "--noprofile", "-euc", checked], { env, cwd: folder });
      return stdout.trim().split("\n").map((line) => JSON.parse(line));
    };
    const [claim, project, key, release, upload, send, read] = commands;

    const [claimed] = await paste(claim);
    const [again] = await paste(signIn);
    assert.notEqual(again.access_token, claimed.access_token);
    env.MAYDAY_TOKEN = again.access_token;
    const [organizations, made] = await paste(project);
    assert.equal(organizations.length, 1);
    env.PROJECT = String(made.id);
    env.MAYDAY_KEY = (await paste(key))[0].key;
    assert.equal((await paste(release))[0].version, "1.0.0");
    const [stored, finalized] = await paste(upload);
    assert.equal(stored.url, "~/assets/app.js");
    assert.notEqual(finalized.finalized_at, null);
    assert.equal((await paste(send))[0].event_id, "first-error");

    fresh.token = env.MAYDAY_TOKEN;
    await new Project(fresh, made.id, env.MAYDAY_KEY).event("first-error");
    const [event, issues] = await until("the issue is listed", async () => {
      const answers = await paste(read);
      return answers[1].total === 1 ? answers : undefined;
    });
    assert.equal(event.exception.type, "TypeError");
    assert.notEqual(event.exception.frames[0].resolved, null, JSON.stringify(event.exception.frames));
    assert.match(issues.issues[0].title, /price is undefined/);
  } catch (error) {
    fresh.showOutput();
    throw error;
  } finally {
    await fresh.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
