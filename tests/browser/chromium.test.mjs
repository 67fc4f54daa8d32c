// Errors thrown in a real browser, sent to the server from another origin.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { launch } from "./chromium.mjs";
import { pressInChromium } from "./pressing.mjs";
import { assertAt, topOfOurs } from "./resolved.mjs";
import { Server, testWith } from "./server.mjs";
import { Build, places } from "./shop.mjs";
import { v8Frames } from "./stacks.mjs";

const build = new Build("browser-a");
const version = "2026.11.1";
let server;
let browser;
let project;
const test = testWith(() => [server]);

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  project = await server.project("Shop in Chromium");
  await project.release(version, "~/", build.maps("~/"));
});
after(async () => {
  await browser?.close();
  await server?.stop();
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
