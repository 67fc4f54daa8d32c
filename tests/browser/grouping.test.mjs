// One fault is one issue, whatever a build or a browser makes of its stack.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { sharedBrowser } from "./chromium.mjs";
import { pressInChromium } from "./pressing.mjs";
import { assertAt, topOfOurs } from "./resolved.mjs";
import { sharedServer } from "./server.mjs";
import { Build, places, priceError, voucherError } from "./shop.mjs";
import { asFirefox, v8Frames } from "./stacks.mjs";
import { before, test } from "./suite.mjs";

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([sharedServer(), sharedBrowser()]);
});

/** The names and columns of the frames of a build's own scripts, as its stack has them. */
function minified(build, error) {
  return v8Frames(error.stack).filter((frame) => build.scriptOf(frame.url) !== undefined);
}

test("a build with other minified names and positions groups into the same issue", async () => {
  const project = await server.project("Two builds in Node");
  const [first, second] = [new Build("node-a"), new Build("node-b")];
  await project.release("1.0.0", first.nodePrefix, first.maps(first.nodePrefix));
  await project.release("1.1.0", second.nodePrefix, second.maps(second.nodePrefix));

  const errors = [await priceError(first), await priceError(second)];
  const [one, two] = [minified(first, errors[0]), minified(second, errors[1])];
  assert.equal(one.length, two.length);
  assert.notEqual(one[0].name, two[0].name, "the builds must name the throwing function differently");
  assert.notEqual(one[0].column, two[0].column, "the builds must put it at different columns");

  const earlier = await project.sendAndRead(errors[0], { release: "1.0.0" });
  const later = await project.sendAndRead(errors[1], { release: "1.1.0" });
  assertAt(topOfOurs(earlier), places.price, "RangeError(");
  assertAt(topOfOurs(later), places.price, "new RangeError(");
  assert.equal(later.issue_id, earlier.issue_id);

  const { issues, total } = await project.issuesOf(2);
  assert.equal(total, 1);
  const [issue] = issues;
  assert.equal(issue.id, earlier.issue_id);
  assert.equal(issue.event_count, 2);
  assert.equal(issue.first_release, "1.0.0");
  assert.equal(issue.last_release, "1.1.0");
});

test("two builds in a browser group into the same issue", async () => {
  const project = await server.project("Two builds in Chromium");
  const [first, second] = [new Build("browser-a"), new Build("browser-b")];
  await project.release("a", "~/", first.maps("~/"));
  await project.release("b", "~/", second.maps("~/"));

  const one = await pressInChromium(browser, first, project, { version: "a", button: "#pay-unknown" });
  const two = await pressInChromium(browser, second, project, { version: "b", button: "#pay-unknown" });
  assert.notEqual(v8Frames(one.stack)[0].name, v8Frames(two.stack)[0].name);
  const [earlier, later] = [await project.event(one.eventId), await project.event(two.eventId)];
  assertAt(topOfOurs(later), places.price, "new RangeError(");
  assert.equal(later.issue_id, earlier.issue_id);
  assert.equal((await project.issuesOf(2)).total, 1);
});

test("the stack of the same throw in Firefox groups into the same issue", async () => {
  const project = await server.project("Two browsers");
  const build = new Build("browser-a");
  const version = "1.0.0";
  await project.release(version, "~/", build.maps("~/"));

  const sent = await pressInChromium(browser, build, project, { version, button: "#pay-unknown" });
  const inChromium = await project.event(sent.eventId);
  const stack = asFirefox(sent.stack, (url) => build.text(build.scriptOf(url)));
  assert.match(stack, /^[\w$]+@http:\/\/127\.0\.0\.1:\d+\/assets\/\S+\.js:1:\d+\n/);
  assert.match(stack, /^[\w$]+\/<@/m, "a callback is named after the function around it");

  const inFirefox = await project.sendAndRead(
    { type: inChromium.exception.type, message: inChromium.exception.message, stack },
    { release: version },
  );
  assertAt(topOfOurs(inFirefox), places.price, "RangeError(");
  assert.equal(inFirefox.exception.frames.length, inChromium.exception.frames.length);
  assert.equal(inFirefox.issue_id, inChromium.issue_id);
  const { issues, total } = await project.issuesOf(2);
  assert.equal(total, 1);
  assert.equal(issues[0].event_count, 2);
});

test("a stack recorded in a real Firefox resolves and groups into the same issue", async () => {
  const recorded = JSON.parse(readFileSync(new URL("../fixtures/stacks/firefox.json", import.meta.url), "utf8"));
  const build = new Build("browser-a");
  for (const [file, hash] of Object.entries(recorded.scripts)) {
    const script = readFileSync(new URL(`../fixtures/app/dist/browser-a${file}`, import.meta.url));
    const now = createHash("sha256").update(script).digest("hex");
    assert.equal(now, hash, `the shop has changed since the recording: node tests/fixtures/stacks/record.mjs`);
  }
  const project = await server.project("A recorded Firefox");
  const version = "1.0.0";
  await project.release(version, "~/", build.maps("~/"));
  const sent = await pressInChromium(browser, build, project, { version, button: "#pay-unknown" });
  const inChromium = await project.event(sent.eventId);

  const { type, message, stack } = recorded;
  const inFirefox = await project.sendAndRead({ type, message, stack }, { release: version });
  assertAt(topOfOurs(inFirefox), places.price, "RangeError(");
  assert.equal(inFirefox.issue_id, inChromium.issue_id);
  const files = (event) => event.exception.frames.map((frame) => frame.resolved?.file).filter(Boolean);
  assert.deepEqual(files(inFirefox), files(inChromium));
});

test("another fault of the same application is another issue", async () => {
  const project = await server.project("Two faults");
  const build = new Build("node-a");
  await project.release("1.0.0", build.nodePrefix, build.maps(build.nodePrefix));
  const price = await project.sendAndRead(await priceError(build), { release: "1.0.0" });
  const voucher = await project.sendAndRead(await voucherError(build), { release: "1.0.0" });
  assert.notEqual(price.issue_id, voucher.issue_id);
  const { issues, total } = await project.issuesOf(2);
  assert.equal(total, 2);
  const titles = issues.map((issue) => issue.title.split(":")[0]).sort();
  assert.deepEqual(titles, ["RangeError", "VoucherError"]);
});
