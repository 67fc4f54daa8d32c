import { expect, test } from "vitest";
import { EventType, Interaction, NodeType, type Recorded, Source, tags } from "../../../../client/replay/format.ts";
import { kindsOf } from "./clicks.ts";
import { quiet } from "./css.ts";
import { nothingKnown, sanitized } from "./sanitize.ts";
import { splitter } from "./split.ts";
import { emptySummary, idleOf, note, pageAt } from "./summary.ts";

const incremental = (timestamp: number, data: object): Recorded => ({
  type: EventType.Incremental,
  timestamp,
  data: data as Recorded["data"],
});

test("objects of an array are found wherever the text is cut", () => {
  const events = [{ a: 'x"}],[{' }, { b: [1, { c: "\\" }], d: "é\n" }, {}, { e: { f: {} } }];
  const text = ` ${JSON.stringify(events, null, 1)}\n`;
  for (const size of [1, 2, 3, 7, text.length]) {
    const split = splitter();
    const found: unknown[] = [];
    for (let at = 0; at < text.length; at += size)
      for (const each of split(text.slice(at, at + size))) found.push(JSON.parse(each));
    expect(found, `pieces of ${size}`).toEqual(events);
  }
  expect(splitter()("[]")).toEqual([]);
});

test("style sheets keep data and document references, and lose addresses to fetch", () => {
  const css = `@import url("https://a.example/b.css"); @IMPORT 'c.css';
    a { background: url(https://a.example/x.png) no-repeat, url( "data:image/png;base64,AA" ); mask: url('#m') }
    b { background: URL("/health"); cursor: url( 'https://a.example/(1).png' ), auto }`;
  const left = quiet(css);
  expect(left).not.toMatch(/example|health|c\.css/);
  expect(left).toContain('url( "data:image/png;base64,AA" )');
  expect(left).toContain("url('#m')");
});

test("an `@import` is removed whole, and the rules after it stay", () => {
  for (const found of [
    "@import 'https://a.example/css2?family=A:wght@400;500&display=swap';",
    "@import url(https://a.example/css2?family=A:wght@400;500) screen and (min-aspect-ratio: 16/9);",
    '@import url("https://a.example/css2?wght@400;500") layer(a) supports(display: grid);',
    '@IMPORT"a.css" /* why */;',
  ])
    expect(quiet(`${found}h1{color:red}`), found).toBe("h1{color:red}");
  const comment = "/*! for those who don't @import it */h1{color:red}/* @import 'a.css' */";
  expect(quiet(comment)).toBe(comment);
  expect(quiet("@import 'a.css'")).toBe("");
});

test("a hostile style sheet takes no longer than its length", () => {
  const hostile = ["url(", "url( ", 'url("', "url('url(\"", "/*", "@import ", "@import url({", "@import '"];
  const spaces = " ".repeat(300_000);
  const texts = [...hostile.map((each) => each.repeat(300_000)), `url(${spaces}`, `@import url(${spaces}`];
  // Each would take minutes if what is looked at again grew with the text.
  for (const text of texts) expect(quiet(text).length).toBeLessThanOrEqual(text.length);
}, 60_000);

const snapshot = (...childNodes: object[]) => ({
  type: EventType.FullSnapshot,
  timestamp: 1,
  data: { node: { type: NodeType.Document, id: 1, childNodes } },
});
const element = (tagName: string, attributes: object = {}, more: object = {}) => ({
  type: NodeType.Element,
  id: 2,
  tagName,
  attributes,
  childNodes: [],
  ...more,
});

test("nothing in a recording can run, navigate or fetch", () => {
  const hostile = [
    element("SCRIPT", { src: "https://evil.example/x.js" }),
    element("img", { src: "https://evil.example/x.png", SRCSET: "https://evil.example/x.png 2x", OnError: "alert(1)" }),
    element("a", { href: "javascript:alert(1)", ping: "https://evil.example", target: "_top" }),
    element("iframe", { srcdoc: "<script>alert(1)</script>", src: "https://evil.example" }),
    element("meta", { "http-equiv": "refresh", content: "0;url=https://evil.example" }),
    element("link", { rel: "preconnect", href: "https://evil.example" }),
    element("link", { rel: "stylesheet", href: "https://evil.example/x.css" }),
    element("base", { href: "https://evil.example" }),
    element("form", { action: "https://evil.example" }),
    element("object", { data: "https://evil.example" }),
    element("use", { "xlink:href": "https://evil.example/x.svg#a" }, { isSVG: true }),
    element("animate", { attributeName: "href", values: "javascript:alert(1)" }, { isSVG: true }),
    element("div", { style: "background: url(https://evil.example/x.png)" }),
    element("style", { _cssText: "@import 'https://evil.example/x.css';" }),
  ];
  const said = JSON.stringify(sanitized(snapshot(...hostile), nothingKnown()));
  expect(said).not.toMatch(/evil|alert|"script"|"iframe".*srcdoc|refresh|preconnect|"base"|"object"|animate/i);
});

test("the look of a page is kept: data images, classes, links, drawings", () => {
  const event = sanitized(
    snapshot(
      element("img", { src: "data:image/png;base64,AA", class: "a" }),
      element("a", { href: "https://shop.example/", id: "b" }),
      element("use", { href: "#icon" }, { isSVG: true }),
      element("link", { rel: "stylesheet", _cssText: "p { color: red }" }),
    ),
    nothingKnown(),
  );
  const said = JSON.stringify(event);
  expect(said).toContain("data:image/png;base64,AA");
  expect(said).toContain('"href":"#"');
  expect(said).toContain('"href":"#icon"');
  expect(said).toContain("p { color: red }");
});

test("events that no recorder of ours writes are left out", () => {
  const known = nothingKnown();
  for (const bad of [null, 7, [], {}, { type: 3 }, { type: 99, timestamp: 1 }, { type: 3, timestamp: "soon" }])
    expect(sanitized(bad, known), JSON.stringify(bad)).toBeUndefined();
  // Canvases, media and fonts would be loaded by the page around.
  for (const source of [7, 9, 10, 11, 99]) expect(sanitized(incremental(1, { source }), known)).toBeUndefined();
  expect(sanitized({ type: EventType.FullSnapshot, timestamp: 1, data: {} }, known)).toBeUndefined();
  const odd = sanitized(incremental(1, { source: Source.Mutation, adds: 7, texts: [null], attributes: "x" }), known);
  expect(odd?.data).toMatchObject({ adds: [], texts: [], attributes: [], removes: [] });
});

test("changes are cleaned as pictures are, and texts of style sheets as style sheets", () => {
  const known = nothingKnown();
  sanitized(
    snapshot(element("style", {}, { childNodes: [{ type: NodeType.Text, id: 9, textContent: "", isStyle: true }] })),
    known,
  );
  const event = sanitized(
    incremental(1, {
      source: Source.Mutation,
      texts: [
        { id: 9, value: "a { background: url(https://evil.example/x) }" },
        { id: 10, value: "see url(https://good.example)" },
      ],
      attributes: [{ id: 3, attributes: { src: "https://evil.example/y", onclick: "alert(1)", class: "x" } }],
      adds: [{ parentId: 1, node: element("script", { src: "https://evil.example/z" }) }],
    }),
    known,
  );
  expect(JSON.stringify(event)).not.toMatch(/evil|alert/);
  expect(JSON.stringify(event)).toContain("good.example");
  const rule = { rule: "a { background: url(https://evil.example/x) }" };
  expect(
    JSON.stringify(sanitized(incremental(1, { source: Source.StyleSheetRule, adds: [rule] }), known)),
  ).not.toContain("evil");
});

const click = (at: number, x = 10, isFree = false) => ({ at, x, y: 10, isFree });

test("a click is dead if nothing changes within two seconds, except in fields or where changes are unknown", () => {
  const clicks = [click(0), click(10_000), click(20_000, 10, true), click(29_000)];
  expect(kindsOf(clicks, [1_500, 12_500], 30_000)).toEqual(["plain", "dead", "plain", "plain"]);
});

/** The kinds of clicks at one place, a fifth of a second apart. */
const run = (count: number, changes: number[], isFree = false) => {
  const clicks = Array.from({ length: count }, (_, index) => click(200 * index, 10, isFree));
  return [...new Set(kindsOf(clicks, changes, 60_000))];
};

test("three fast clicks are rage if nothing changes afterwards, and five in any case", () => {
  expect(run(3, [])).toEqual(["rage"]);
  expect(run(4, [50, 550, 590, 2_700])).toEqual(["rage"]);
  // Each adds one more to the cart.
  expect(run(3, [50, 250, 450])).toEqual(["plain"]);
  expect(run(4, [50, 250, 450, 2_000])).toEqual(["plain"]);
  expect(run(5, [50, 250, 450, 650, 850])).toEqual(["rage"]);
  expect(run(2, [])).toEqual(["dead"]);
});

test("selecting text in a field by three clicks is not rage", () => {
  expect(run(3, [], true)).toEqual(["plain"]);
  expect(run(5, [], true)).toEqual(["rage"]);
});

test("clicks further apart belong to different runs", () => {
  const together = [click(0), click(300), click(700)];
  const apart = [click(5_000), click(5_400, 200), click(5_900)];
  const slow = [click(9_000), click(9_600), click(10_300)];
  const kinds = kindsOf([...together, ...apart, ...slow], [4_000, 5_950, 10_400], 60_000);
  expect(kinds).toEqual([...Array(3).fill("rage"), ...Array(6).fill("plain")]);
});

test("a run begins with the first click that is close enough to the others", () => {
  const clicks = [click(0), click(900), click(1_100), click(1_200)];
  expect(kindsOf(clicks, [100], 60_000)).toEqual(["plain", ...Array(3).fill("rage")]);
});

test("clicks at a second place are judged separately", () => {
  const clicks = [click(0), click(100), click(200), click(300, 300), click(400, 300), click(500, 300)];
  expect(kindsOf(clicks, [], 60_000)).toEqual(Array(6).fill("rage"));
  expect(kindsOf(clicks, [210, 510], 60_000)).toEqual(Array(6).fill("plain"));
});

test("a summary has the time from which snapshots were too heavy, and why the recording ended", () => {
  const summary = emptySummary(1_000);
  const said = (timestamp: number, tag: string, payload: object) =>
    note(summary, { type: EventType.Custom, timestamp, data: { tag, payload } }, nothingKnown());
  said(1_500, tags.pictures, { how: "rarer", took: 90 });
  said(61_000, tags.pictures, { how: "none", took: 612 });
  said(62_000, tags.pictures, { how: "rarer", took: 95 });
  said(63_000, tags.pictures, { how: "odd", took: 1 });
  expect(summary.pictures).toEqual({ at: 60_000, how: "none", took: 612 });
  said(64_000, tags.end, { why: "too slow" });
  expect(summary.ended).toEqual({ at: 63_000, why: "too slow" });
  expect(summary.isEnded).toBe(true);
});

test("a summary has actions, console output, pages and idle times", () => {
  const summary = emptySummary(1_000);
  const known = nothingKnown();
  known.fields.add(5);
  const events: Recorded[] = [
    { type: EventType.Meta, timestamp: 1_000, data: { href: "https://shop.example/" } },
    incremental(2_000, { source: Source.MouseInteraction, type: Interaction.Click, id: 5, x: 1, y: 2 }),
    {
      type: EventType.Custom,
      timestamp: 2_500,
      data: { tag: tags.network, payload: { method: "GET", url: "/a", status: 404, duration: 200 } },
    },
    {
      type: EventType.Custom,
      timestamp: 3_000,
      data: { tag: tags.console, payload: { level: "odd", message: "hello" } },
    },
    {
      type: EventType.Custom,
      timestamp: 20_000,
      data: { tag: tags.navigation, payload: { to: "https://shop.example/cart" } },
    },
    { type: EventType.Custom, timestamp: 20_000, data: { tag: tags.lost, payload: { events: 3, refused: 2 } } },
    { type: EventType.Meta, timestamp: 20_500, data: { href: "https://shop.example/cart" } },
    incremental(21_000, { source: Source.Scroll, id: 1, x: 0, y: 9 }),
    {
      type: EventType.Custom,
      timestamp: 22_000,
      data: { tag: tags.error, payload: { event_id: "e", type: "TypeError", message: "x" } },
    },
  ];
  for (const event of events) note(summary, event, known);
  expect(summary.duration).toBe(21_000);
  expect(summary.clicks).toEqual([{ at: 1_000, x: 1, y: 2, isFree: true }]);
  expect(summary.network).toEqual([{ at: 1_300, method: "GET", url: "/a", status: 404, duration: 200 }]);
  expect(summary.console).toEqual([{ at: 2_000, level: "info", message: "hello" }]);
  expect(summary.pages.map(({ url }) => url)).toEqual(["https://shop.example/", "https://shop.example/cart"]);
  expect(summary.errors).toEqual([{ at: 21_000, eventId: "e", title: "TypeError: x" }]);
  expect([summary.lost, summary.refused]).toEqual([3, 2]);
  expect([summary.pictures, summary.ended]).toEqual([undefined, undefined]);
  expect(idleOf(summary)).toEqual([[1_000, 20_000]]);
  expect([pageAt(summary, 500), pageAt(summary, 19_500)]).toEqual([
    "https://shop.example/",
    "https://shop.example/cart",
  ]);
});
