// What breadcrumbs say, as clients of several makers send them: most have their words in `data` alone.

import assert from "node:assert/strict";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, matrix, onPage } from "./web.mjs";

const origin = "https://shop.example";
const now = Date.now();
const evil = "<img src=x onerror=window.__xss=1>";

/** Crumbs, and the line that each is told by. */
const crumbs = [
  [{ type: "navigation", category: "navigation", data: { from: `${origin}/`, to: `${origin}/cart` } }, "/ → /cart"],
  [{ type: "http", category: "fetch", data: { method: "GET", url: "/api/search", status_code: 200, duration: 580 } }, "GET /api/search 200 · 580 ms"],
  [{ type: "http", category: "xhr", data: { method: "POST", url: `${origin}/api/orders`, status_code: 503, request_body_size: 812 } }, "POST /api/orders 503"],
  [{ type: "http", category: "httplib", data: { method: "GET", url: "https://rates.example/eur", status_code: 0 } }, "GET https://rates.example/eur no answer"],
  [{ category: "ui.click", message: "main > button#order" }, "main > button#order"],
  [{ type: "user", category: "ui.click", data: { selector: "button#buy", label: "Buy now" } }, "“Buy now” button#buy"],
  [{ category: "ui.input", data: { selector: "input#voucher", label: "Voucher" } }, "“Voucher” input#voucher"],
  [{ type: "debug", category: "console", level: "info", data: { logger: "console", arguments: ["cart", { items: 3 }] } }, 'cart {"items":3}'],
  [{ category: "console", level: "warning", message: "prices are old", data: { logger: "console", arguments: ["prices are old"] } }, "prices are old"],
  [{ type: "query", category: "query", message: "select * from items where sku = ?", data: { duration: 12 } }, "select * from items where sku = ? · 12 ms"],
  [{ type: "error", category: "exception", level: "error", data: { type: "RangeError", value: "voucher is used up" } }, "RangeError: voucher is used up"],
  [{ category: "app.lifecycle", data: { state: "foreground" } }, "state: foreground"],
  [{ category: "fetch", data: { method: evil, url: evil, status_code: evil } }, evil],
];

let server;
let project;
let path;

before(async () => {
  server = await sharedServer();
  project = await server.project("Crumbs");
  const breadcrumbs = crumbs.map(([crumb], at) => ({ timestamp: new Date(now - (crumbs.length - at) * 700).toISOString(), ...crumb }));
  const stack = "TypeError: no cart\n    at order (https://shop.example/app.js:1:9)";
  await project.sendAndRead({ type: "TypeError", message: "no cart", stack }, { timestamp: new Date(now).toISOString(), url: `${origin}/cart`, breadcrumbs });
  const [issue] = (await project.issuesOf(1)).issues;
  path = `/projects/${project.id}/issues/${issue.id}`;
});

const entries = (page) => page.getByRole("region", { name: /^Breadcrumbs/ }).getByRole("listitem");

test("each breadcrumb says what happened", async () => {
  await onPage(server, path, {}, async (page) => {
    await entries(page).first().waitFor();
    const said = await entries(page).allInnerTexts();
    for (const [at, [crumb, words]] of crumbs.entries()) {
      assert.ok(said[at].includes(words), `${JSON.stringify(crumb)} is told as ${JSON.stringify(said[at])}`);
    }
    assert.match(said[7], /\binfo\b/, "the level of what was logged");
    assert.match(said[8], /\bwarning\b/);
    assert.equal(await page.evaluate(() => window.__xss), undefined);
    assert.equal(await page.locator("main img").count(), 0);
  });
});

test("what is current stays so while the page is scrolled under a pointer that rests", async () => {
  await onPage(server, path, {}, async (page) => {
    const current = () => entries(page).evaluateAll((all) => all.findIndex((each) => each.dataset.current === "true"));
    await entries(page).nth(3).scrollIntoViewIfNeeded();
    await entries(page).nth(3).hover();
    await eventually(current, 3, "the entry under the pointer");
    const before = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, 60);
    await eventually(() => page.evaluate(() => scrollY).then((now) => now !== before), true, "the page was scrolled");
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    assert.equal(await current(), 3);
  });
});

test("what the line does not tell is found by opening it, and only there", async () => {
  await onPage(server, path, {}, async (page) => {
    const failed = entries(page).nth(2);
    await failed.getByRole("button", { name: "show data" }).click();
    await failed.getByText("request_body_size").waitFor();
    await failed.getByText("812").waitFor();
    for (const told of [0, 1, 4, 6, 8]) assert.equal(await entries(page).nth(told).getByRole("button").count(), 0, `entry ${told} tells all`);
  });
});

test("the breadcrumbs of an issue in each look", async () => {
  await matrix("breadcrumbs", server, path, {}, async (page) => {
    await entries(page).nth(12).waitFor();
    await entries(page).nth(12).scrollIntoViewIfNeeded();
  });
});
