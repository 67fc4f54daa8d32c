// What senders write is text, wherever the Web app shows it: nothing of it runs, is fetched, or
// becomes a part of the page. And the extremes of what is accepted stay readable.

import assert from "node:assert/strict";
import { hasIssues } from "./seed.mjs";
import { Server } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { newContext, onPage, openPage, settled } from "./web.mjs";

let server;
let project;

const short = '"\'><img src=x onerror=window.__xss=1>';
const long = [
  short,
  '<svg onload="window.__xss=1"></svg>',
  '<iframe src="javascript:parent.__xss=1"></iframe>',
  "<script>window.__xss=1</script>",
  '<a href="javascript:window.__xss=1">go</a>',
  "\u202e${window.__xss=1}{{constructor.constructor('window.__xss=1')()}}",
].join("");
const address = "javascript:window.__xss=1//<img src=x onerror=window.__xss=1>";
const release = `1.0 ${short}`;
const script = "https://shop.example/assets/<img src=x onerror=window.__xss=1>.js";

/** A map whose every text is hostile: the first position of the script is line 2 of the first source. */
const map = JSON.stringify({
  version: 3,
  file: long,
  sourceRoot: "",
  sources: [`src/${short}.tsx`],
  sourcesContent: [`// ${long}\nexport const x = "${long}";\n/* </script>${long} */`],
  names: [long],
  mappings: "AACAA",
});

const hostileFrame = {
  function: long,
  filename: address,
  abs_path: address,
  module: long,
  lineno: 3,
  colno: 4,
  in_app: true,
  pre_context: [long],
  context_line: long,
  post_context: [long],
  vars: { [short]: long, nested: { [short]: [short] } },
};

const hostileEvent = (more) => ({
  exception: {
    type: long,
    message: long,
    stack: `${short}: ${short}\n    at ${short} (${script}:1:1)\n    at new ${short} (${address}:2:3)\n    at <anonymous> (https://cdn.example/${short}.js:5:6)`,
    mechanism: { type: short, handled: false },
    cause: { type: long, message: long, frames: [hostileFrame] },
  },
  event_id: short,
  trace_id: short,
  span_id: short,
  session_id: short,
  window_id: short,
  replay_id: short,
  release,
  environment: short,
  url: address,
  user_agent: long,
  platform: short,
  sdk: { name: short, version: short },
  user: { id: short, email: short, name: long, username: short, ip_address: short },
  account: { id: short, name: short },
  tags: { [short]: short, url: address, html: short },
  extra: { [long]: { [long]: [long, { [short]: long }] } },
  contexts: { [long]: { [long]: long, href: address } },
  fingerprint: [long],
  breadcrumbs: [
    { type: short, category: short, level: short, message: long, data: { [short]: long, url: address } },
    { type: "navigation", category: "navigation", data: { from: address, to: address } },
  ],
  ...more,
});

before(async () => {
  server = await Server.start();
  project = await server.project(short);
  await server.post(`/api/v1/projects/${project.id}/api-keys`, { name: short }, { expect: 201 });
  await project.createRelease(release, "~/");
  await project.uploadMap({ release, url: "~/assets/<img src=x onerror=window.__xss=1>.js", map, urlPrefix: "~/", fileName: `${short}.js.map` });
  await project.sendAndRead(hostileEvent().exception, hostileEvent());
  await project.send(undefined, { ...hostileEvent({ event_id: undefined, type: "message", message: long, exception: undefined, fingerprint: ["message"] }) });
  await hasIssues(project, 2);
});
after(() => server?.stop());

/** Nothing that was sent has become a part of the page. */
async function assertHarmless(page) {
  const found = await page.evaluate(() => ({
    ran: window.__xss,
    elements: [...document.querySelectorAll('img, svg[onload], iframe, object, embed, [onerror], body script, a[href^="javascript" i], form[action^="javascript" i]')]
      .map((element) => element.outerHTML.slice(0, 200)),
    links: [...document.querySelectorAll("a[href], [src]")]
      .map((element) => element.href ?? element.src)
      .filter((href) => typeof href === "string" && /^(javascript|data:text|vbscript)/i.test(href)),
  }));
  assert.deepEqual(found, { ran: undefined, elements: [], links: [] });
}

/** Opens everything on the page that opens in its place. */
async function unfold(page) {
  for (let round = 0; round < 40; round += 1) {
    const next = page.locator('main button[aria-expanded="false"]:not([aria-haspopup])').filter({ visible: true }).first();
    if ((await next.count()) === 0) break;
    await next.click();
  }
  await page.evaluate(() => document.querySelectorAll("main details").forEach((part) => (part.open = true)));
}

test("the check of a page detects injected markup", async () => {
  const opened = await openPage(server, `/projects/${project.id}/issues`);
  try {
    await assertHarmless(opened.page);
    for (const html of ["<img src=x>", '<a href="javascript:1">x</a>', "<iframe></iframe>"]) {
      await opened.page.evaluate((text) => document.body.insertAdjacentHTML("beforeend", `<div id=injected>${text}</div>`), html);
      await assert.rejects(assertHarmless(opened.page), html);
      await opened.page.evaluate(() => document.querySelector("#injected").remove());
    }
  } finally {
    await opened.close();
  }
});

test("a script that got into the page would not run, nor reach another origin", async () => {
  const opened = await openPage(server, `/projects/${project.id}/issues`, { allow: [/Content Security Policy/i, /Failed to load resource/] });
  try {
    const blocked = await opened.page.evaluate(async () => {
      const seen = [];
      document.addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
      document.body.insertAdjacentHTML("beforeend", '<div id=try><img src="https://evil.example/x"><button onclick="window.__xss=1">x</button></div>');
      document.querySelector("#try button").click();
      const script = document.createElement("script");
      script.textContent = "window.__xss=1";
      document.body.append(script);
      await fetch("https://evil.example/").catch(() => undefined);
      await new Promise((done) => setTimeout(done, 100));
      return [...new Set(seen)].sort();
    });
    assert.deepEqual(blocked, ["connect-src", "img-src", "script-src-attr", "script-src-elem"]);
    assert.equal(await opened.page.evaluate(() => window.__xss), undefined);
  } finally {
    await opened.close();
  }
});

test("hostile texts stay texts in the list, in its search and in the palette", async () => {
  await onPage(server, `/projects/${project.id}/issues?query=${encodeURIComponent(`"${short.replaceAll('"', "")}"`)}`, { allow: [422] }, async (page) => {
    await assertHarmless(page);
    await page.goto(`${server.origin}/projects/${project.id}/issues`);
    await page.locator("[data-issue]").nth(1).waitFor();
    assert.match(await page.locator("main").innerText(), /<img src=x onerror/);
    for (const typed of ["release:", "environment:", "assignee:"]) {
      await page.getByLabel("Search issues").fill(typed);
      await page.getByRole("listbox").getByRole("option").first().waitFor();
      await assertHarmless(page);
    }
    await page.getByLabel("Search issues").fill("");
    await page.getByRole("button", { name: /^Project:/ }).click();
    await page.getByRole("menuitem").first().waitFor();
    await assertHarmless(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByText("Appearance: dark").waitFor();
    await assertHarmless(page);
  });
});

test("hostile texts stay texts on every part of the issue page", async () => {
  const context = await newContext(server, { permissions: ["clipboard-read", "clipboard-write"] });
  const { issues } = await project.issues();
  try {
    for (const { id } of issues) {
      const opened = await openPage(server, `/projects/${project.id}/issues/${id}`, { context });
      const { page } = opened;
      await unfold(page);
      await assertHarmless(page);
      const views = page.getByRole("radiogroup", { name: "How to show the stack" }).locator("label");
      for (let at = 0; at < (await views.count()); at += 1) {
        await views.nth(at).click();
        await unfold(page);
        await assertHarmless(page);
      }
      await page.getByRole("button", { name: "Copy as Markdown" }).click();
      await page.getByText("Report copied").waitFor();
      await assertHarmless(page);
      await server.post(`/api/v1/projects/${project.id}/issues/${id}/comments`, { text: long }, { expect: [200, 201] });
      for (const tab of [/^All events/, /^Activity/]) {
        await page.getByRole("tab", { name: tab }).click();
        await settled(page);
        await unfold(page);
        await assertHarmless(page);
      }
      opened.check();
      await page.close();
    }
  } finally {
    await context.close();
  }
});

test("a resolved frame shows a hostile source as it is", async () => {
  const { issues } = await project.issues();
  let seen = "";
  for (const { id } of issues) {
    await onPage(server, `/projects/${project.id}/issues/${id}`, {}, async (page) => {
      await unfold(page);
      seen += await page.locator("main").innerText();
      await assertHarmless(page);
    });
  }
  assert.match(seen, /export const x = "/, "the frame was resolved to the line of the map");
});

test("hostile versions and addresses stay texts on the pages of releases and settings", async () => {
  const version = encodeURIComponent(release);
  for (const path of ["releases", `releases/${version}`, "releases?query=%3Cimg%20src=x%3E", "settings/general", "settings/keys", "settings/scrubbing", "start"]) {
    await onPage(server, `/projects/${project.id}/${path}`, { allow: [404] }, async (page) => {
      await unfold(page);
      await assertHarmless(page);
    });
  }
});

test("events at the limits of what is accepted are shown, and the page stays usable", async () => {
  const extremes = await server.project("Extremes");
  const frames = Array.from({ length: 500 }, (_, at) => `    at call${at} (https://shop.example/assets/deep.js:${at + 1}:1)`).join("\n");
  const longLine = { function: "f", filename: "long.js", lineno: 1, colno: 50_000, in_app: true, context_line: "x".repeat(100_000) };
  const extra = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`key${at}`, "y".repeat(15_000)]));
  const years = 365 * 24 * 3_600_000;
  const events = {
    "500 frames": [{ type: "RangeError", message: "too deep", stack: `RangeError: too deep\n${frames}` }, {}],
    "a long line": [{ type: "E", message: "a long line", frames: [longLine] }, {}],
    "nearly a MiB": [{ type: "E", message: "nearly a MiB" }, { extra }],
    "from the future": [{ type: "E", message: "from the future" }, { timestamp: new Date(Date.now() + 20 * years).toISOString() }],
    "from the past": [{ type: "E", message: "from the past" }, { timestamp: "1970-01-01T00:00:00Z" }],
    "without anything": [undefined, { message: "bare" }],
  };
  for (const [name, [exception, fields]] of Object.entries(events)) {
    await server.post("/api/v1/errors", { api_key: extremes.key, fingerprint: [name], exception, ...fields }, { token: null, expect: 202 });
  }
  await hasIssues(extremes, Object.keys(events).length);
  await onPage(server, `/projects/${extremes.id}/issues`, {}, (page) => page.locator("[data-issue]").nth(5).waitFor());
  for (const { id, title } of (await extremes.issues()).issues) {
    await onPage(server, `/projects/${extremes.id}/issues/${id}`, {}, async (page) => {
      await page.getByRole("group", { name: "Actions" }).waitFor();
      if (title.includes("too deep")) {
        await page.getByRole("button", { name: /^Show \d+ more rows$/ }).click();
        await page.getByText("call200", { exact: true }).first().waitFor();
      }
      if (title.includes("nearly")) {
        await page.getByRole("button", { name: "Show", exact: true }).click();
        await page.getByRole("group", { name: /^JSON of the event/ }).waitFor();
        assert.ok((await page.locator("main").innerText()).length < 400_000, "not all is drawn");
      }
      assert.doesNotMatch(await page.locator("main").innerText(), /Invalid Date|NaN|undefined/);
    });
  }
});
