// What is recorded, said, logged and thrown on one axis of time: in the player, and around an error.

import assert from "node:assert/strict";
import { recording, replaysOf, send, shown, site, story, visit, withClient } from "./recorded.mjs";
import { sharedServer, until } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, onPage, pictures } from "./web.mjs";

let server;
let shop;

before(async () => {
  server = await sharedServer();
  shop = await site(server);
});
after(() => shop?.close());

const body = `
  <style nonce="page">body { margin: 0; font: 2rem sans-serif; background: rgb(250, 240, 200) } h1 { color: rgb(120, 20, 20) }</style>
  <h1>Checkout</h1><p>Earl Grey, 250 g</p><button id="add">Add</button><button id="fail">Pay</button>
  <script nonce="page">
    add.onclick = () => { mayday.logger.info\`\${{ item: "tea" }} was added\`; mayday.addBreadcrumb({ category: "cart", message: "tea added" }); };
    fail.onclick = () => { console.warn("paying"); setTimeout(() => { mayday.logger.error\`No price\`; throw new TypeError("price is undefined"); }, 50); };
  </script>`;

/** A visit with something of each kind, a while apart. */
async function shopping(page) {
  await recording(page);
  assert.deepEqual(await page.evaluate(() => window.mayday.replay()).then(({ state }) => state), "recording");
  await page.click("#add");
  await page.waitForTimeout(1_200);
  await page.evaluate(() => fetch("/missing").then((answer) => answer.text()));
  await page.waitForTimeout(1_200);
  const thrown = page.waitForEvent("pageerror");
  await page.click("#fail");
  await thrown;
  await page.waitForTimeout(600);
  await page.evaluate(() => window.mayday.stopReplay());
  assert.equal(await page.evaluate(() => window.mayday.replay()).then(({ state }) => state), "off");
  await page.evaluate(() => window.mayday.flush());
}

/** Records such a visit; its project and replay. */
async function recorded(name) {
  const project = await server.project(name);
  shop.pages[`/${name}`] = withClient(server, project, 'data-replay="always"', body);
  let replay;
  await visit(`${shop.origin}/${name}`, shopping, {
    arrives: async () => {
      [replay] = await replaysOf(server, project, 1, ({ is_complete, error_count }) => is_complete && error_count > 0);
    },
  });
  await until("the logs", async () => {
    const { total } = await server.request(`/api/v1/projects/${project.id}/logs`);
    return total === 2 ? true : undefined;
  });
  return { project, replay };
}

/** What Chromium says when the test looks into the frame of the player. */
const looking = /^Blocked script execution/;

/** How many pixels of each colour an element shows. */
async function coloursOf(page, element) {
  const png = (await element.screenshot()).toString("base64");
  const other = await page.context().newPage();
  try {
    return new Map(await other.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
      canvas.drawImage(image, 0, 0);
      const { data: bytes } = canvas.getImageData(0, 0, image.width, image.height);
      const found = new Map();
      for (let at = 0; at < bytes.length; at += 4) {
        const colour = `${bytes[at]},${bytes[at + 1]},${bytes[at + 2]}`;
        found.set(colour, (found.get(colour) ?? 0) + 1);
      }
      return [...found];
    }, png));
  } finally {
    await other.close();
  }
}

test("in the player all lists and lines are at its time, and moving along one moves the others", async () => {
  const { project, replay } = await recorded("axis");
  await onPage(server, `/projects/${project.id}/replays/${replay.replay_id}`, { allow: [looking] }, async (page) => {
    await shown(page);
    const slider = page.getByRole("slider", { name: "Time", exact: true });
    const headAt = () => page.locator('[class*="head"][style*="left"]').evaluate((each) => Number.parseFloat(each.style.left));
    const lane = (name) => page.getByRole("button", { name, pressed: undefined, exact: true });
    for (const name of ["Logs 2", "Console 1", "Network 1", "Errors 1"]) await lane(name).waitFor();
    const list = page.getByRole("tabpanel");
    const matches = (what, text, words) => until(what, async () => (words.test(await text()) ? true : undefined));
    const current = () => list.locator('button[aria-current="true"]').innerText();
    // A line's name opens its list; a press on an entry moves the player.
    await lane("Logs 2").click();
    await list.getByRole("button", { name: /tea was added/ }).waitFor();
    await list.getByRole("button", { name: /No price/ }).click();
    await until("the player is at the entry", async () => ((await headAt()) > 50 ? true : undefined));
    const late = await headAt();
    // The other lists are there, too.
    await page.getByRole("tab", { name: "Breadcrumbs" }).click();
    await matches("the list is at the time", current, /paying|price is undefined|button#fail/);
    // The arrows move along a list, and the player with it.
    await list.getByRole("button", { name: /cart: tea added/ }).click();
    await until("the player went back", async () => ((await headAt()) < late - 20 ? true : undefined));
    const early = await headAt();
    await page.keyboard.press("ArrowDown");
    await until("the player went on", async () => ((await headAt()) > early ? true : undefined));
    await matches("the next entry has the focus", () => page.locator("button:focus").innerText(), /GET \/missing/);
    await matches("the next entry is current", current, /GET \/missing/);
    // A press on a line moves both.
    const box = await page.locator('[data-lane="errors"] svg').boundingBox();
    await page.mouse.click(box.x + box.width - 2, box.y + box.height / 2);
    await list.getByRole("button", { name: /price is undefined/, current: true }).waitFor();
    await until("the head is at the end", async () => ((await headAt()) > 95 ? true : undefined));
    // In whole seconds: two pixels before the end may be one less.
    const [now, end] = ["aria-valuenow", "aria-valuemax"].map((name) => () => slider.getAttribute(name).then(Number));
    await until("the slider is at the end", async () => ((await now()) >= (await end()) - 1 ? true : undefined));
    await page.getByRole("tab", { name: "Breadcrumbs" }).click();
    await pictures(page, "replay-axis");
  });
});

test("beside a browser whose clock was wrong, what servers logged lies where it happened, and the player says so", async () => {
  const project = await server.project("clock");
  const [ahead, trace_id] = [180_000, "c".repeat(32)];
  // By the browser's clock, a minute ago.
  const begun = Date.now() + ahead - 60_000;
  const [meta, picture, ...changes] = story(begun);
  const trace = { type: 5, timestamp: begun + 2, data: { tag: "mayday.trace", payload: { trace_id } } };
  const replay = await send(server, project, [meta, picture, trace, ...changes]);
  const entry = (time, message) => ({ timestamp: time / 1_000, level: "info", message, trace_id });
  const logs = [entry(begun + 20_000, "said by the page"), entry(begun + 50_000 - ahead, "said by the server")];
  await server.post("/api/v1/logs/batch", { api_key: project.key, logs }, { token: null, expect: 202 });
  await until("the logs", async () => {
    const { total } = await server.request(`/api/v1/projects/${project.id}/logs`);
    return total === 2 ? true : undefined;
  });
  await onPage(server, `/projects/${project.id}/replays/${replay.replay_id}`, { allow: [looking] }, async (page) => {
    await shown(page);
    await page.getByText(/^The browser’s clock was about 3 min ahead of the server’s; times in the recording are the browser’s/).waitFor();
    // It began a minute before it was received, and not in two minutes.
    assert.match(await page.getByRole("list", { name: "About this replay" }).locator("time").innerText(), /ago$|^just now$/);
    await page.getByRole("button", { name: "Logs 2", exact: true }).click();
    const entries = page.getByRole("tabpanel").getByRole("listitem");
    await eventually(() => entries.count(), 2, "log entries");
    const [first, second] = await entries.allInnerTexts();
    assert.match(first, /0:20[\s\S]*said by the page/);
    // Less by what it took to send the replay.
    assert.match(second, /0:[345]\d[\s\S]*said by the server/);
    await pictures(page, "replay-clock");
  });
});

test("around an error its breadcrumbs, logs and replay share an axis, and each moment leads into the replay", async () => {
  const { project, replay } = await recorded("around");
  const { issues } = await project.issuesOf(1);
  await onPage(server, `/projects/${project.id}/issues/${issues[0].id}`, { allow: [looking] }, async (page) => {
    const axis = page.getByRole("slider", { name: "Time around this error" });
    await axis.waitFor();
    const marks = (...lanes) => axis.locator(lanes.map((lane) => `[data-lane="${lane}"] [data-tone]`).join());
    await eventually(() => marks("logs").count(), 2, "log entries");
    await until("breadcrumbs", async () => ((await marks("user", "network", "console", "other").count()) >= 4 ? true : undefined));
    await axis.locator('[data-lane="replay"] span').waitFor();
    // Pointed at, the axis marks the rows of that time.
    await axis.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await axis.boundingBox();
    await page.mouse.move(x + width * 0.4, y + height - 4);
    const pointed = page.locator('li[data-current="true"]');
    await eventually(async () => (await pointed.allInnerTexts()).map((text) => /tea was added/.test(text)).sort(), [false, true], "a row of each");
    // And a row that is pointed at marks the axis.
    await page.locator("li").filter({ hasText: "paying" }).hover();
    await eventually(() => axis.getAttribute("aria-valuetext").then((text) => /paying/.test(text)), true, "what the axis says");
    await axis.focus();
    await page.keyboard.press("ArrowLeft");
    await eventually(() => axis.getAttribute("aria-valuetext").then((text) => /button#fail|missing/.test(text)), true, "the one before");
    await pictures(page, "issue-axis");
    await page.locator("li").filter({ hasText: "tea added" }).getByRole("link").first().click();
    await page.waitForURL(new RegExp(replay.replay_id));
    await shown(page);
    assert.ok(!(Number(new URL(page.url()).searchParams.get("t")) > 1), page.url());
  });
  await send(server, project, [{ type: 4, timestamp: Date.now() - 5_000, data: { href: "https://shop.example/", width: 800, height: 600 } }]);
  await onPage(server, `/projects/${project.id}/issues/${issues[0].id}`, {}, async (page) => {
    await page.getByRole("link", { name: "All replays of this issue" }).click();
    await page.getByRole("status").filter({ hasText: "1 replay" }).waitFor();
    await page.getByRole("button", { name: `Issue ${issues[0].short_id}: remove this filter` }).click();
    await page.getByRole("status").filter({ hasText: "2 replays" }).waitFor();
    assert.equal(new URL(page.url()).search, "");
  });
});

test("the list shows what each page looked like, and is narrowed to an environment and a release", async () => {
  const { project, replay } = await recorded("pictured");
  const now = Date.now() - 60_000;
  await send(server, project, [
    { type: 4, timestamp: now, data: { href: "https://shop.example/", width: 800, height: 600 } },
    // A page that frameworks leave: names and characters that XML cannot have.
    { type: 2, timestamp: now + 1, data: { initialOffset: { left: 0, top: 0 }, node: { type: 0, id: 1, childNodes: [
      { type: 2, id: 2, tagName: "html", attributes: { "xml:odd": "1" }, childNodes: [{ type: 2, id: 3, tagName: "body", attributes: { "@click": "x", ":class": "y", style: "background: #123456" }, childNodes: [
        { type: 2, id: 4, tagName: "p", attributes: {}, childNodes: [{ type: 3, id: 5, textContent: "a \u0001 < & \ud800 b" }] },
        { type: 2, id: 6, tagName: "my:element", attributes: {}, childNodes: [] },
      ] }] }] } } },
  ], { environment: "staging", release: "2.0.0" });
  await onPage(server, `/projects/${project.id}/replays`, {}, async (page) => {
    const images = page.getByRole("row").locator("img:visible");
    await eventually(() => images.count(), 2, "a picture of each");
    const widths = () => images.evaluateAll((all) => all.map((each) => each.naturalWidth).sort());
    await eventually(widths, [800, 900], "pictures that could be drawn");
    const row = page.getByRole("row").filter({ hasText: /Chrome/ });
    await row.locator("img").first().hover();
    await row.locator("img").nth(1).waitFor({ state: "visible" });
    const { width } = await row.locator("img").nth(1).boundingBox();
    assert.ok(width > 200, `${width} px`);
    // What the picture has is what the page had: its ground, and something in the colour of its heading.
    const colours = await coloursOf(page, row.locator("img").nth(1));
    assert.ok((colours.get("250,240,200") ?? 0) > 1_000 && (colours.get("120,20,20") ?? 0) > 20, JSON.stringify([...colours].slice(0, 10)));
    await pictures(page, "replays-pictured");
    await page.getByLabel("Environment", { exact: true }).selectOption("staging");
    await page.getByRole("status").filter({ hasText: "1 replay" }).waitFor();
    await page.getByLabel("Environment", { exact: true }).selectOption("");
    await page.getByRole("combobox", { name: "Release" }).fill("1.4.2");
    await page.getByRole("row").filter({ hasText: /Chrome/ }).waitFor();
    await page.getByRole("status").filter({ hasText: "1 replay" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("release"), "1.4.2");
  });
  assert.equal(replay.release, "1.4.2");
});
