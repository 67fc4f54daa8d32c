// Session replays, the whole way: recorded in a page, read by the server, watched in the Web app.

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

test("a replay of which parts never came is shown from its first picture on, and says what is missing or removed", async () => {
  test.setTimeout(120_000);
  const project = await server.project("headless");
  const events = story();
  // Its other parts: the picture comes with the second of them.
  const part = (chunk_index, total_chunks, some) => {
    const body = { api_key: project.key, session_id: "s", window_id: "w", chunk_index, total_chunks, events: some };
    return server.post("/api/v1/replays/chunk", body, { token: null, expect: 202 });
  };
  await part(1, null, events.slice(10, 12));
  const watch = (words, act) => async () => {
    const [{ replay_id: id }] = await replaysOf(server, project);
    await onPage(server, `/projects/${project.id}/replays/${id}`, {}, async (page) => {
      await page.getByText(words).waitFor();
      await act(page);
    });
  };
  await watch("The recording has no picture of the page: its beginning has not arrived.", () => undefined)();
  const card = { type: 3, timestamp: events[20].timestamp, data: { source: 0, texts: [{ id: 7, value: "Card 4111 1111 1111 1111" }], attributes: [], removes: [], adds: [] } };
  const slow = { type: 5, timestamp: card.timestamp, data: { tag: "mayday.network", payload: { method: "GET", url: "/slow", status: 200, duration: 4_000 } } };
  await part(2, 3, [...events.slice(0, 20), slow, card]);
  await part(4, 5, events.slice(45));
  await replaysOf(server, project, 1, ({ chunks }) => chunks === 3);
  // While it is live, what is missing is waited for, but not for ever.
  const after = (event) => event.timestamp - events[10].timestamp;
  const seconds = Math.round((after(events[45]) - after(card)) / 1_000);
  await watch("1 value removed as a secret", async (page) => {
    await page.getByText("Part 1 never arrived: the beginning is missing.").waitFor();
    await page.getByText(`Part 4 never arrived: ${seconds} s are missing at 0:${String(Math.floor(after(card) / 1_000)).padStart(2, "0")}.`).waitFor();
    assert.equal(await page.getByRole("slider", { name: "Time" }).locator("[data-gap]").count(), 2);
    // A request is as long as it took.
    const width = Number(await page.locator('[data-lane="network"] rect').getAttribute("width"));
    assert.ok(width > 10 && width < 40, `${width} of 240 places for 4 s of a minute`);
    await pictures(page, "replay-gaps");
    await goTo(page, 59);
    const frame = await shown(page);
    await frame.getByText("Card [Filtered]").waitFor();
    await frame.getByText("line 59").waitFor();
  })();
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
    await send(server, project, story(), { user: { id: name, email: `${name.slice(0, 60)}@example.com` }, url: `https://shop.example/${name.slice(0, 20)}` });
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

test("what a recording contains runs nothing and fetches nothing", async () => {
  const project = await server.project("hostile replay");
  const evil = `${shop.origin}/evil`;
  const start = Date.now() - 10_000;
  let ids = 10;
  const element = (tagName, attributes = {}, childNodes = [], more = {}) => ({ type: 2, id: (ids += 1), tagName, attributes, childNodes, ...more });
  const text = (textContent, more = {}) => ({ type: 3, id: (ids += 1), textContent, ...more });
  const shout = "document.title='owned';top.owned=1;fetch('/evil')";
  const parts = () => [
    element("script", {}, [text(shout)]),
    element("SCRIPT", { src: `${evil}.js` }),
    element("img", { src: `${evil}.png`, onerror: shout, ONLOAD: shout }),
    element("img", { srcset: `${evil}-2.png 2x`, rr_dataURL: `${evil}-3.png` }),
    element("img", { src: "/health" }),
    element("iframe", { srcdoc: `<script>${shout}</script><img src='${evil}-4.png'>` }),
    element("iframe", { src: `${evil}.html` }),
    element("iframe", { src: `javascript:${shout}` }),
    element("a", { href: `javascript:${shout}`, autofocus: "", onfocus: shout, tabindex: "1" }, [text("link")]),
    element("meta", { "http-equiv": "refresh", content: `0;url=${evil}-5` }),
    element("META", { "HTTP-EQUIV": "Refresh", content: `0;url=${evil}-6` }),
    element("link", { rel: "stylesheet", href: `${evil}.css` }),
    element("link", { rel: "preload", as: "script", href: `${evil}-7.js` }),
    element("link", { rel: "dns-prefetch", href: evil }),
    element("base", { href: evil }),
    element("form", { action: evil }, [element("button", { formaction: evil, type: "submit" })]),
    element("object", { data: `${evil}.svg` }),
    element("embed", { src: `${evil}-8.svg` }),
    element("video", { src: `${evil}.mp4`, poster: `${evil}-9.png`, autoplay: "", rr_mediaState: "played" }),
    element("svg", {}, [
      element("use", { href: `${evil}-10.svg#a` }, [], { isSVG: true }),
      element("image", { "xlink:href": `${evil}-11.png` }, [], { isSVG: true }),
      element("script", {}, [text(shout)], { isSVG: true }),
      element("a", { "xlink:href": `javascript:${shout}` }, [element("animate", { attributeName: "href", to: `javascript:${shout}` }, [], { isSVG: true })], { isSVG: true }),
      element("foreignObject", {}, [element("iframe", { srcdoc: `<script>${shout}</script>` })], { isSVG: true }),
    ], { isSVG: true }),
    element("div", { style: `background: url(${evil}-12.png)`, onmouseover: shout }),
    element("style", { _cssText: `@import "${evil}-13.css"; @font-face { font-family: evil; src: url(${evil}.woff) } body { font-family: evil; background: \\75rl(${evil}-14.png) }` }),
    element("style", {}, [text(`@\\69mport "${evil}-15.css"; p { background-image: image-set("${evil}-16.png" 1x) }`, { isStyle: true })]),
    element("p", {}, [text(`</p><script>${shout}</script>`)]),
    element("input", { type: "image", src: `${evil}-17.png`, onfocus: shout }),
    element("textarea", { value: `</textarea><script>${shout}</script>` }),
    element("portal", { src: evil }),
    element("x-evil", { onclick: shout }, [], { isCustom: true, isShadowHost: true }),
  ];
  const bodyId = 5;
  const whole = { type: 2, id: 3, tagName: "html", attributes: { onclick: shout }, childNodes: [{ type: 2, id: 4, tagName: "head", attributes: {}, childNodes: [] }, { type: 2, id: bodyId, tagName: "body", attributes: { onload: shout, background: `${evil}-18.png` }, childNodes: parts() }] };
  const incremental = (offset, data) => ({ type: 3, timestamp: start + offset, data });
  const mutation = (more) => ({ source: 0, texts: [], attributes: [], removes: [], adds: [], ...more });
  const events = [
    { type: 4, timestamp: start, data: { href: `javascript:${shout}`, width: 800, height: 600 } },
    { type: 2, timestamp: start + 1, data: { node: { type: 0, id: 1, childNodes: [whole] }, initialOffset: { left: 0, top: 0 } } },
    incremental(500, mutation({ adds: parts().map((node) => ({ parentId: bodyId, nextId: null, node })) })),
    incremental(600, mutation({ attributes: [{ id: bodyId, attributes: { onclick: shout, style: { background: [`url(${evil}-19.png)`, ""] }, background: `${evil}-20.png` } }, { id: 13, attributes: { src: `${evil}-21.png` } }] })),
    incremental(700, { source: 8, id: 30, adds: [{ rule: `p { background: url(${evil}-22.png) }`, index: 0 }] }),
    incremental(800, { source: 9, id: bodyId, type: 0, commands: [{ property: "drawImage", args: [{ rr_type: "ImageData", src: `${evil}-23.png` }] }] }),
    incremental(900, { source: 10, family: "evil", fontSource: `url(${evil}-24.woff)`, buffer: false }),
    incremental(950, { source: 10, family: "own", fontSource: "url(/health)", buffer: false }),
    incremental(1_000, { source: 15, id: 1, styleIds: [1], styles: [{ styleId: 1, rules: [{ rule: `@import "${evil}-25.css"` }, { rule: `p { background: url(${evil}-26.png) }` }] }] }),
    incremental(1_100, { source: 2, type: 2, id: bodyId, x: 5, y: 5 }),
    incremental(1_200, { source: 2, type: 5, id: bodyId, x: 5, y: 5 }),
    incremental(3_000, { source: 3, id: bodyId, x: 0, y: 0 }),
    { type: 5, timestamp: start + 3_100, data: { tag: "mayday.console", payload: { level: "error", message: `<img src=x onerror="${shout}">` } } },
    { type: 5, timestamp: start + 3_200, data: { tag: "mayday.navigation", payload: { to: `javascript:${shout}` } } },
  ];
  const replay = await send(server, project, events, { url: `javascript:${shout}`, user: { id: `<script>${shout}</script>` } });
  shop.requests.length = 0;
  // What our own cleaning leaves (escapes in style sheets), the policy refuses, and the browser says so.
  const refused = /violates the following Content Security Policy directive|Refused to|sandboxed|Failed to adapt css/i;
  // rrweb stumbles over rules that are none.
  const stumbles = /^thrown: $/;
  await onPage(server, `/projects/${project.id}/replays/${replay.replay_id}`, { allow: [refused, stumbles], others: [shop.origin] }, async (page) => {
    // The browser names what the policy stops among its requests, so what arrives is looked at.
    // What came from a frame, or would from the page itself where rrweb loads something for one.
    const answered = [];
    page.on("response", (response) => {
      const isFramed = response.frame() !== page.mainFrame() && !/replay-frame\.html$|^data:|^about:/.test(response.url());
      if (isFramed || /health|evil/.test(response.url())) answered.push(response.url());
    });
    await page.reload();
    await shown(page);
    await page.locator('button[aria-label="Play"]:enabled').waitFor();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await goTo(page, 1);
    await page.waitForTimeout(500);
    assert.deepEqual(shop.requests, [], "no request reached the other site");
    assert.deepEqual(answered, [], "nor the server");
    assert.equal(await page.evaluate(() => window.owned), undefined);
    assert.notEqual(await page.title(), "owned");
    // The same documents refuse what never went through our cleaning.
    await page.evaluate(([address]) => {
      const outer = document.querySelector('iframe[title="The recorded page"]').contentDocument;
      for (const target of [outer, outer.querySelector("iframe").contentDocument]) {
        const markup = `<img src="${address}-a.png"><img src="/health"><iframe src="${address}-b.html"></iframe><iframe src="/health"></iframe>
          <iframe srcdoc="<script>top.owned=1</script><img src='${address}-c.png'>"></iframe><link rel="stylesheet" href="${address}-d.css">
          <object data="${address}-e.svg"></object><video src="${address}-f.mp4"></video><img src="x" onerror="top.owned=1">
          <style>@import "${address}-g.css"; p { background: url(${address}-h.png) }</style><p>x</p>`;
        target.body.insertAdjacentHTML("beforeend", markup);
        const script = target.createElement("script");
        script.textContent = "top.owned=1";
        target.body.append(script);
      }
    }, [evil]);
    await page.waitForTimeout(500);
    assert.deepEqual(shop.requests, [], "the policy of the frame");
    assert.deepEqual(answered, [], "the policy of the frame, for the server's own");
    assert.equal(await page.evaluate(() => window.owned), undefined);
  });
  // Nor does its picture in the list.
  await onPage(server, `/projects/${project.id}/replays`, { allow: [refused], others: [shop.origin] }, async (page) => {
    const image = page.getByRole("row").locator("img").first();
    await eventually(() => image.evaluate((each) => each.naturalWidth), 800, "the picture");
    await page.waitForTimeout(300);
    assert.deepEqual(shop.requests, [], "no request reached the other site");
    assert.equal(await page.evaluate(() => window.owned), undefined);
    assert.notEqual(await page.title(), "owned");
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
