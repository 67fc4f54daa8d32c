// Session replays, the whole way: recorded in a page, read by the server, watched in the Web app, listed.

import assert from "node:assert/strict";
import { eventsOf, goTo, recording, replaysOf, send, shown, site, story, visit, withClient } from "./recorded.mjs";
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

const secrets = /Lovelace|4242|hush|Jane|sesame|Private/;

const body = `
  <style nonce="page">h1 { color: rgb(1, 2, 3) } .big { font-size: 30px }</style>
  <h1>Checkout</h1>
  <form><input id="name" value="Ada Lovelace"><input id="password" type="password"><textarea id="note"></textarea>
    <select id="size"><option>small</option><option>large</option></select></form>
  <p data-mayday-mask>Jane Doe</p><div data-mayday-block><p>Private</p></div>
  <div id="free" contenteditable="true">Write here</div>
  <button id="add">Add</button><button id="dead">Nothing</button><button id="fail">Pay</button><ul id="list"></ul>
  <script nonce="page">
    let count = 0;
    add.onclick = () => { const item = document.createElement("li"); item.textContent = "Tea " + (count += 1); list.append(item); };
    fail.onclick = () => { console.warn("paying", { card: "4242" }); setTimeout(() => { throw new TypeError("price is undefined"); }, 50); };
  </script>`;

/** What a person does on that page. */
async function shopping(page) {
  await recording(page);
  await page.evaluate(() => window.mayday.setUser({ id: 7, email: "ada@example.com" }));
  await page.fill("#name", "Ada Lovelace 4242");
  await page.fill("#password", "sesame");
  await page.fill("#note", "hush");
  await page.selectOption("#size", "large");
  await page.locator("#free").pressSequentially(" hush");
  await page.click("#add");
  await page.click("#add");
  await page.evaluate(() => fetch("/missing?token=hush").then((answer) => answer.text()));
  await page.evaluate(() => history.pushState({}, "", "/cart?code=hush"));
  const thrown = page.waitForEvent("pageerror");
  await page.click("#fail");
  await thrown;
}

test("what a person did is shown as it was on the page, without what they entered", async () => {
  const project = await server.project("replays");
  shop.pages["/always"] = withClient(server, project, 'data-replay="always"', body);
  let replay;
  const shopAndStop = async (page) => {
    await shopping(page);
    await page.evaluate(() => window.mayday.stopReplay());
    await page.evaluate(() => window.mayday.flush());
  };
  const arrives = async () => {
    [replay] = await replaysOf(server, project, 1, ({ is_complete, error_count }) => is_complete && error_count > 0);
  };
  const problems = await visit(`${shop.origin}/always`, shopAndStop, { arrives });
  // Its own warning, the request that failed and the error: no word of the client's, and nothing against the policy.
  assert.deepEqual(problems.filter((text) => !/^paying|404|price is undefined/.test(text)), []);
  assert.equal(replay.has_full_snapshot, true);
  assert.equal(replay.user.email, "ada@example.com");
  assert.equal(replay.release, "1.4.2");
  assert.match(replay.rrweb_version, /^2\./);
  assert.ok(replay.click_count >= 3, `${replay.click_count} clicks`);
  const events = await eventsOf(server, project, replay);
  assert.doesNotMatch(JSON.stringify(events), secrets);
  const tagsOf = events.filter(({ type }) => type === 5).map(({ data }) => data.tag);
  for (const tag of ["console", "network", "navigation", "error", "end"]) assert.ok(tagsOf.includes(`mayday.${tag}`), `${tagsOf}`);

  const path = `/projects/${project.id}/replays/${replay.replay_id}`;
  await onPage(server, path, {}, async (page) => {
    await goTo(page, 3_600);
    const frame = await shown(page);
    await eventually(() => frame.locator("li").allInnerTexts(), ["Tea 1", "Tea 2"], "the list");
    assert.equal(await frame.locator("h1").evaluate((each) => getComputedStyle(each).color), "rgb(1, 2, 3)");
    assert.match(await frame.locator("#name").inputValue(), /^\*{17}$/);
    assert.equal(await frame.locator("#password").inputValue(), "******");
    assert.equal(await frame.locator("[data-mayday-mask]").innerText(), "**** ***");
    assert.match(await frame.locator("#free").innerText(), /^[*\s]+$/);
    assert.doesNotMatch(await frame.locator("html").evaluate((each) => each.outerHTML), secrets);
    assert.equal(await frame.locator("html").evaluate((each) => each.ownerDocument.defaultView.frameElement.getAttribute("sandbox")), "allow-same-origin");

    const panel = page.getByRole("tabpanel");
    await panel.getByRole("button", { name: /price is undefined/ }).waitFor();
    await page.getByRole("tab", { name: /Console/ }).click();
    await panel.getByRole("button", { name: /paying \[object Object\]/ }).waitFor();
    await page.getByRole("tab", { name: /Network/ }).click();
    await panel.getByRole("button", { name: /404 GET \/missing \d/ }).waitFor();
    await page.getByRole("tab", { name: /User/ }).click();
    await panel.getByText("ada@example.com").waitFor();
    await page.getByText(`${shop.origin}/cart`, { exact: true }).first().waitFor();
    await page.getByRole("button", { name: /^Error at .*price is undefined/ }).waitFor();
    await pictures(page, "replay");
    await panel.getByRole("link", { name: "All replays of this user" }).click();
    await page.getByRole("status").filter({ hasText: "1 replay" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("user"), "ada@example.com");
  });

  const { issues } = await project.issuesOf(1);
  await onPage(server, `/projects/${project.id}/issues/${issues[0].id}`, {}, async (page) => {
    await page.getByRole("link", { name: "Watch what happened" }).click();
    await page.waitForURL(new RegExp(replay.replay_id));
    await shown(page);
    await page.goBack();
    const user = page.getByRole("region", { name: "User", exact: true });
    await user.getByRole("link", { name: "All replays of this user" }).click();
    await page.getByRole("status").filter({ hasText: "1 replay" }).waitFor();
    assert.equal(await page.getByRole("searchbox", { name: /User/ }).inputValue(), "ada@example.com");
  });
});

test("the player is driven by the keyboard alone, and links to a moment lead there", async () => {
  const project = await server.project("keys");
  const replay = await send(server, project, story(), { rrweb_version: "1.1.3" });
  const path = `/projects/${project.id}/replays/${replay.replay_id}`;
  await onPage(server, `${path}?t=40`, {}, async (page) => {
    await page.getByText(/^Recorded with rrweb 1\.1\.3, shown with 2\./).waitFor();
    const slider = page.getByRole("slider", { name: "Time" });
    const at = async () => Number(await slider.getAttribute("aria-valuenow"));
    const frame = await shown(page);
    await eventually(at, 40, "the time");
    await frame.getByText("line 39").waitFor();
    await page.keyboard.press("ArrowLeft");
    await eventually(at, 35, "the time");
    await eventually(() => frame.locator("p").count(), 35, "the lines");
    await page.keyboard.press("ArrowRight");
    await eventually(at, 40, "the time");
    await page.keyboard.press(">");
    await page.getByRole("button", { name: "Speed: 2×" }).waitFor();
    await page.keyboard.press(" ");
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await until("it plays", async () => ((await at()) > 41 ? true : undefined));
    await page.keyboard.press(" ");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await page.keyboard.press("?");
    await page.getByText("Play or pause").waitFor();
    await page.keyboard.press("Escape");
  });
});

test("the list says who, where and how long, is filtered in the address, and deletes", async () => {
  const project = await server.project("list");
  const list = `/projects/${project.id}/replays`;
  await onPage(server, list, {}, async (page) => {
    await page.getByRole("heading", { name: "No replays yet" }).waitFor();
    await page.getByRole("group", { name: "Script tag that records around errors" }).getByText('data-replay="error"').waitFor();
    await pictures(page, "replays-empty");
  });
  for (const name of ["ada", "bob", "x".repeat(300)]) {
    const events = story();
    events[0].data.href = `https://shop.example/${name.slice(0, 20)}`;
    await send(server, project, events, { user: { id: name, email: `${name.slice(0, 60)}@example.com` }, url: events[0].data.href });
  }
  await onPage(server, list, {}, async (page) => {
    await page.getByRole("status").filter({ hasText: "3 replays" }).waitFor();
    await page.getByRole("searchbox", { name: /User/ }).fill("bob");
    await page.getByRole("status").filter({ hasText: "1 replay" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("user"), "bob");
    await page.reload();
    await page.getByRole("link", { name: "bob@example.com" }).waitFor();
    await page.getByRole("searchbox", { name: /User/ }).fill("");
    await page.getByRole("status").filter({ hasText: "3 replays" }).waitFor();
    await page.getByRole("searchbox", { name: /URL/ }).fill("example/AD");
    await page.getByRole("status").filter({ hasText: "1 replay" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("url"), "example/AD");
    await page.reload();
    await page.getByRole("link", { name: "ada@example.com" }).waitFor();
    assert.equal(await page.getByRole("row").count(), 2, "the head, and the one");
    assert.equal(await page.getByRole("searchbox", { name: /URL/ }).inputValue(), "example/AD");
    await page.getByRole("searchbox", { name: /URL/ }).fill("/nowhere");
    await page.getByRole("heading", { name: "No matching replays" }).waitFor();
    await page.getByRole("searchbox", { name: /URL/ }).fill("");
    await page.getByRole("status").filter({ hasText: "3 replays" }).waitFor();
    await pictures(page, "replays");
    await page.getByLabel("With errors").check();
    await page.getByRole("heading", { name: "No matching replays" }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("link", { name: "bob@example.com" }).click();
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete replay" }).click();
    await page.getByRole("status").filter({ hasText: "2 replays" }).waitFor();
  });
});

test("around an error only: nothing is sent before it, then what came before it and what follows", async () => {
  const project = await server.project("around errors");
  shop.pages["/error"] = withClient(server, project, 'data-replay="error"', body);
  let replay;
  const failing = async (page) => {
    await recording(page);
    const sent = [];
    page.on("request", (request) => request.url().includes("/replays") && sent.push(request.url()));
    await page.click("#add");
    await page.waitForTimeout(200);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    assert.deepEqual(sent, []);
    await page.click("#fail");
    await until("a chunk is sent", async () => (sent.length > 0 ? true : undefined));
    await page.click("#add");
  };
  const arrives = async () => {
    [replay] = await replaysOf(server, project, 1, ({ chunks, error_count }) => chunks > 1 && error_count > 0);
  };
  await visit(`${shop.origin}/error`, failing, { arrives });
  const [issue] = (await project.issuesOf(1)).issues;
  const { events } = await server.request(`/api/v1/projects/${project.id}/issues/${issue.id}/events`);
  const event = await project.event(events[0].event_id);
  assert.equal(event.replay_id, replay.replay_id);
  assert.equal(event.session_id, replay.session_id);
  assert.equal(replay.event_id, event.event_id);
  const found = await server.request(`/api/v1/events/${event.event_id}/replay?project_id=${project.id}`);
  assert.equal(found.replay_id, replay.replay_id);
  const recorded = JSON.stringify(await eventsOf(server, project, replay));
  assert.match(recorded, /Tea 1/);
  assert.match(recorded, /Tea 2/);
});

test("the next page of a window goes on with the replay, and what is left as it goes arrives", async () => {
  const project = await server.project("pages");
  for (const path of ["/one", "/two"]) shop.pages[path] = withClient(server, project, 'data-replay="always"', `<h1>${path}</h1>`);
  let replays;
  const twoPages = async (page) => {
    await recording(page);
    await page.goto(`${shop.origin}/two`);
    await page.waitForFunction(() => window.mayday?.startReplay);
    await recording(page);
    await page.mouse.move(50, 50);
    await page.waitForTimeout(200);
  };
  const arrives = async () => {
    replays = await replaysOf(server, project, 1, ({ chunks }) => chunks >= 2);
  };
  await visit(`${shop.origin}/one`, twoPages, { arrives });
  const [replay, ...others] = replays;
  assert.deepEqual(others, []);
  const events = await eventsOf(server, project, replay);
  const pages = events.filter(({ type }) => type === 4).map(({ data }) => new URL(data.href).pathname);
  assert.deepEqual([...new Set(pages)], ["/one", "/two"]);
});

test("whoever opts out is not recorded, on later pages neither", async () => {
  const project = await server.project("opted out");
  shop.pages["/opt"] = withClient(server, project, 'data-replay="always"', "<h1>Shop</h1>");
  await visit(`${shop.origin}/opt`, async (page) => {
    await page.evaluate(() => window.mayday.optOutOfReplay());
    const sent = [];
    await page.reload();
    page.on("request", (request) => request.url().includes("/replays") && sent.push(request.url()));
    await page.waitForFunction(() => window.mayday?.startReplay);
    assert.equal(await page.evaluate(() => window.mayday.startReplay()), false);
    await page.mouse.move(10, 10);
    await page.goto(`${shop.origin}/opt`);
    await page.waitForFunction(() => window.mayday?.startReplay);
    assert.deepEqual(sent, []);
    await page.evaluate(() => window.mayday.optOutOfReplay(false));
    assert.equal(await page.evaluate(() => window.mayday.startReplay()), true);
  });
});

/** Requests of a page's recorder from now on. */
function chunksOf(page) {
  const sent = [];
  page.on("request", (request) => request.url().includes("/replays") && sent.push(request.url()));
  return sent;
}

const stateOf = (page) => page.evaluate(() => window.mayday.replay().then(({ state }) => state));

test("opting out ends the recording of all tabs, and what they had not sent yet is dropped", async () => {
  const project = await server.project("opted out in two tabs");
  shop.pages["/tabs"] = withClient(server, project, 'data-replay="always"', body);
  const twoTabs = async (one, { context }) => {
    const two = await context.newPage();
    await two.goto(`${shop.origin}/tabs`);
    await two.waitForFunction(() => window.mayday?.startReplay);
    for (const page of [one, two]) await recording(page);
    await context.clock.runFor(5_000);
    const replays = await replaysOf(server, project, 2);
    const sent = [chunksOf(one), chunksOf(two)];
    for (const page of [one, two]) await page.click("#add");
    await two.evaluate(() => window.mayday.optOutOfReplay());
    for (const page of [one, two]) {
      await eventually(() => stateOf(page), "opted-out", "the state");
      await page.click("#add");
    }
    await context.clock.runFor(60_000);
    for (const page of [one, two]) await page.goto("about:blank");
    assert.deepEqual(sent, [[], []]);
    for (const replay of replays) assert.doesNotMatch(JSON.stringify(await eventsOf(server, project, replay)), /Tea/);
  };
  // The clock stands, so that nothing is sent meanwhile.
  await visit(`${shop.origin}/tabs`, twoTabs, { time: Date.now() });
});

test("a page that somebody goes back to asks whether they have opted out meanwhile", async () => {
  const project = await server.project("opted out and back");
  shop.pages["/back"] = withClient(server, project, 'data-replay="always"', body);
  const backAndForth = async (page) => {
    // The headless Chromium keeps no pages to go back to, so this one is told that it was kept.
    const goAndComeBack = (out) =>
      page.evaluate((isOut) => {
        dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
        // A page that is kept does not hear of this.
        if (isOut) localStorage.setItem("mayday.replay", "off");
        dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
      }, out);
    await recording(page);
    await page.clock.runFor(5_000);
    await replaysOf(server, project);
    await goAndComeBack(false);
    assert.equal(await stateOf(page), "recording");
    await goAndComeBack(true);
    const sent = chunksOf(page);
    assert.equal(await stateOf(page), "opted-out");
    await page.click("#add");
    await page.clock.runFor(60_000);
    await page.goto("about:blank");
    assert.deepEqual(sent, []);
  };
  await visit(`${shop.origin}/back`, backAndForth, { time: Date.now() });
});
