// Errors thrown in a real browser, sent to the server from another origin.

import assert from "node:assert/strict";
import { serveFolder, sharedBrowser } from "./chromium.mjs";
import { pressInChromium } from "./pressing.mjs";
import { assertAt, topOfOurs } from "./resolved.mjs";
import { Server, owner, sharedServer } from "./server.mjs";
import { Build, places } from "./shop.mjs";
import { v8Frames } from "./stacks.mjs";
import { before, test } from "./suite.mjs";

const build = new Build("browser-a");
const version = "2026.11.1";
let server;
let browser;
let project;

before(async () => {
  [server, browser] = await Promise.all([sharedServer(), sharedBrowser()]);
  project = await server.project("Shop in Chromium");
  await project.release(version, "~/", build.maps("~/"));
});

test("an uncaught error posted across origins as text/plain with keepalive is resolved", async () => {
  const sent = await pressInChromium(browser, build, project, { version, button: "#pay-unknown" });
  assert.equal(sent.outcome, 202, "the page could read the answer, so the answer allowed its origin");
  const event = await project.event(sent.eventId);
  assert.equal(event.exception.stack, sent.stack);
  assert.equal(event.url, `${sent.origin}/`);
  assertAt(topOfOurs(event), places.price, "RangeError(");
});

test("the same error sent by a beacon is resolved", async () => {
  const sent = await pressInChromium(browser, build, project, { version, button: "#pay-unknown", transport: "beacon" });
  assert.equal(sent.outcome, true);
  const event = await project.event(sent.eventId);
  assertAt(topOfOurs(event), places.price, "RangeError(");
});

test("frames of dependencies are not in-app and those of components are", async () => {
  const sent = await pressInChromium(browser, build, project, { version, button: "#pay-unknown" });
  const { frames } = (await project.event(sent.eventId)).exception;
  assert.equal(frames.length, v8Frames(sent.stack).length);
  assert.deepEqual(
    frames.filter((frame) => frame.resolved === null),
    [],
    "every frame of the page is in a script that has a map",
  );
  const inApp = (part) => frames.filter((frame) => frame.resolved.file.includes(part)).map((frame) => frame.in_app);
  assert.deepEqual([...new Set(inApp("node_modules/immer/"))], [false]);
  assert.deepEqual([...new Set(inApp("node_modules/preact/"))], [false]);
  assert.deepEqual([...new Set(inApp("src/components/"))], [true]);
});

test("a rejection in a chunk loaded on demand is resolved", async () => {
  const sent = await pressInChromium(browser, build, project, { version, button: "#voucher" });
  assert.equal(sent.outcome, 202);
  const event = await project.event(sent.eventId);
  assert.equal(event.exception.type, "VoucherError");
  assertAt(topOfOurs(event), places.voucher, "new VoucherError(");
});

/** Runs a function in a page of the shop's own host, which is another origin than the server's. */
async function inForeignPage(body, argument) {
  const host = await serveFolder(build.folder);
  const page = await browser.newPage();
  try {
    await page.goto(host.origin);
    return await page.evaluate(body, argument);
  } finally {
    await page.close();
    await host.close();
  }
}

test("cross-origin JSON is accepted after a preflight, and its answer can be read", async () => {
  const { status, answer, batch } = await inForeignPage(
    async ({ origin, key }) => {
      const event = { type: "message", message: "sent as JSON" };
      const post = (path, body) =>
        fetch(origin + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
      const one = await post("/api/v1/errors", { api_key: key, ...event });
      const two = await post("/api/v1/errors/batch", [{ api_key: key, ...event }, { api_key: key, ...event }]);
      return { status: one.status, answer: await one.json(), batch: await two.json() };
    },
    { origin: server.origin, key: project.key },
  );
  assert.equal(status, 202);
  assert.equal((await project.event(answer.event_id)).message, "sent as JSON");
  assert.deepEqual(batch, { accepted: 2, dropped: 0 });
});

test("a refusal can be read from another origin too", async () => {
  const { status, detail } = await inForeignPage(async (origin) => {
    const body = JSON.stringify({ api_key: "pk_no_such_key", message: "x" });
    const response = await fetch(`${origin}/api/v1/errors`, { method: "POST", body });
    return { status: response.status, detail: (await response.json()).detail };
  }, server.origin);
  assert.equal(status, 401);
  assert.equal(detail, "Invalid API key");
});

test("a page of another origin can neither read the dashboard's API nor sign in through it", async () => {
  const outcomes = await inForeignPage(async (origin) => {
    const attempt = (path, init) => fetch(origin + path, init).then(() => "read", () => "refused");
    return [
      await attempt("/api/v1/me"),
      await attempt("/api/v1/me", { credentials: "include" }),
      await attempt("/api/v1/projects/1/issues", { headers: { Authorization: "Bearer x" } }),
      await attempt("/auth/password/login", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }),
    ];
  }, server.origin);
  assert.deepEqual(outcomes, Array(4).fill("refused"));
});

test("an origin that is allowed signs in, and changes what it may with the cookie that it got", async () => {
  const host = await serveFolder(build.folder);
  const page = await browser.newPage();
  let open;
  try {
    open = await Server.start({ variables: { CORS_ALLOW_ORIGINS: host.origin } });
    const { id } = await open.project("Elsewhere");
    await page.goto(host.origin);
    const answers = await page.evaluate(
      async ({ origin, login, id }) => {
        const call = async (method, path, body) => {
          const headers = body && { "Content-Type": "application/json" };
          const init = { method, credentials: "include", headers, body: body && JSON.stringify(body) };
          const response = await fetch(origin + path, init);
          return { status: response.status, body: await response.json() };
        };
        return [
          await call("POST", "/auth/password/login", login),
          await call("GET", "/api/v1/me"),
          await call("PATCH", `/api/v1/projects/${id}`, { name: "Renamed" }),
        ];
      },
      { origin: open.origin, login: { email: owner.email, password: owner.password }, id },
    );
    assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200], JSON.stringify(answers));
    assert.equal(answers[1].body.email, owner.email);
    assert.equal(answers[2].body.name, "Renamed");
  } catch (error) {
    open?.showOutput();
    throw error;
  } finally {
    await page.close();
    await host.close();
    await open?.stop();
  }
});
