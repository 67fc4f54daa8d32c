// Whoever has the public key can send a recording of anything: nothing of it runs, and nothing is fetched.

import assert from "node:assert/strict";
import { goTo, send, shown, site } from "./recorded.mjs";
import { sharedServer } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, onPage } from "./web.mjs";

let server;
let shop;

before(async () => {
  server = await sharedServer();
  shop = await site(server);
});
after(() => shop?.close());

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
