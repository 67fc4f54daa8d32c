import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EventType, type Node, NodeType, Source } from "../../../../client/replay/format.ts";
import { Recording } from "./recording.ts";
import { nothingKnown, sanitized } from "./sanitize.ts";
import { type ReadSheet, Sheets, sheetNote, sheetsOf } from "./sheets.ts";

const cdn = "https://cdn.example/assets";
const link = (id: number, attributes: object): Node => ({
  type: NodeType.Element,
  id,
  tagName: "link",
  attributes: { rel: "stylesheet", ...attributes },
  childNodes: [],
});
const snapshot = (...childNodes: Node[]) => ({
  type: EventType.FullSnapshot,
  timestamp: 1,
  data: { node: { type: NodeType.Document, id: 1, childNodes } },
});
const mutation = (data: object) => ({
  type: EventType.Incremental,
  timestamp: 2,
  data: { source: Source.Mutation, ...data },
});

/** What the server was asked for, and the status of its style sheets. */
let asked: string[];
let status: number;
beforeEach(() => {
  [asked, status] = [[], 200];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    if (address.includes("stylesheets")) return new Response(status === 204 ? null : "h1{}", { status });
    const page = [{ type: 4, timestamp: 0, data: {} }, snapshot(link(2, { href: `${cdn}/app.css?v=1` }))];
    return new Response(JSON.stringify(page), { headers: { "x-next-chunk": "1" } });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The links of a page as they are shown with such style sheets. */
async function shown(read: ReadSheet, ...links: Node[]) {
  const sheets = new Sheets((href, signal) => {
    asked.push(href);
    return read(href, signal);
  });
  const known = nothingKnown();
  const event = sanitized(snapshot(...links), known);
  await sheets.fill(known);
  return { known, sheets, nodes: (event?.data.node as Node | undefined)?.childNodes ?? [] };
}

test("a link whose style sheet was not recorded gets that of the release, which fetches nothing", async () => {
  const css = `@import "https://evil.example/x.css"; h1 { color: red; background: url(https://evil.example/x.png) }`;
  const { known, nodes } = await shown(async () => css, link(2, { href: `${cdn}/app.css`, media: "screen" }));
  expect(asked).toEqual([`${cdn}/app.css`]);
  expect(nodes[0]).toMatchObject({ tagName: "link", attributes: { media: "screen" } });
  expect(nodes[0]?.attributes?._cssText).toContain("color: red");
  expect(JSON.stringify(nodes)).not.toMatch(/evil|cdn\.example|"rel"/);
  expect(known.missing.size).toBe(0);
});

test("only style sheets that are drawn and not there are asked for", async () => {
  await shown(
    async () => undefined,
    link(2, { href: `${cdn}/a.css`, rel: "preload" }),
    link(3, { href: `${cdn}/b.css`, rel: "alternate stylesheet" }),
    link(4, { href: `${cdn}/c.css`, media: "print" }),
    link(5, { href: `${cdn}/d.css`, _cssText: "a{}" }),
    link(6, { href: "data:text/css,a{}" }),
    link(7, { href: "/relative.css" }),
    link(8, { href: `${cdn}/${"x".repeat(3_000)}.css` }),
    link(9, { href: `${cdn}/e.css`, rel: "Preload STYLESHEET" }),
    link(10, { href: `${cdn}/f.css`, disabled: "" }),
  );
  expect(asked).toEqual([`${cdn}/e.css`]);
});

test("style sheets are fetched once each, within limits of number and size", async () => {
  const many = Array.from({ length: 60 }, (_, at) => link(10 + at, { href: `${cdn}/${at % 50}.css` }));
  const { known } = await shown(async () => "x".repeat(1_500_000), ...many);
  expect(asked).toHaveLength(40);
  expect(new Set(asked).size).toBe(40);
  expect(known.missing.size).toBe(48);
});

test("those that nobody has are counted, each once, until they are recorded after all", async () => {
  const links = ["late", "gone", "gone"].map((name, at) => link(2 + at, { href: `${cdn}/${name}.css` }));
  const { known, sheets } = await shown(async () => undefined, ...links);
  expect(known.missing).toEqual(new Set([`${cdn}/late.css`, `${cdn}/gone.css`]));
  const changes = [{ id: 2, attributes: { _cssText: "a { background: url(https://evil.example/x) }" } }];
  const event = sanitized(mutation({ attributes: changes }), known);
  await sheets.fill(known);
  expect(JSON.stringify(event)).not.toContain("evil");
  expect([...known.missing]).toEqual([`${cdn}/gone.css`]);
  expect([sheetNote(0), sheetNote(1), sheetNote(2)]).toEqual([
    false,
    expect.stringMatching(/^1 style sheet of another origin is missing, .* read it, and it was not uploaded/),
    expect.stringMatching(/^2 style sheets of other origins are missing, .* read them, and they were not uploaded/),
  ]);
});

test("what a page adds gets its style sheets, too", async () => {
  const { known, sheets } = await shown(async () => "b{}");
  const event = sanitized(mutation({ adds: [{ parentId: 1, node: link(7, { href: `${cdn}/b.css` }) }] }), known);
  await sheets.fill(known);
  expect(JSON.stringify(event)).toContain('"_cssText":"b{}"');
});

test("a server that fails is not asked again, and the replay plays without", async () => {
  const read = vi.fn<ReadSheet>().mockRejectedValue(new Error("status 500"));
  const { known, sheets } = await shown(read, link(2, { href: `${cdn}/a.css` }));
  sanitized(snapshot(link(2, { href: `${cdn}/a.css` }), link(3, { href: `${cdn}/b.css` })), known);
  await sheets.fill(known);
  expect(read).toHaveBeenCalledTimes(1);
  expect(known.missing.size).toBe(2);
});

test("a server that is slow is waited for only so long in all", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const read = vi.fn<ReadSheet>(async () => {
    now += 9_000;
    return "a{}";
  });
  const { known, sheets } = await shown(read, link(2, { href: `${cdn}/0.css` }));
  for (let at = 1; at < 10; at += 1) {
    sanitized(snapshot(link(2, { href: `${cdn}/${at}.css` })), known);
    await sheets.fill(known);
  }
  expect(read).toHaveBeenCalledTimes(4);
  expect(known.missing.size).toBe(6);
});

test("a recording is read with the style sheets of its release, and says how many are missing", async () => {
  const read = async (release: string | null) => {
    const recording = new Recording(() => "events", sheetsOf(7, release));
    await recording.load(new AbortController().signal);
    return { text: JSON.stringify(recording.events), missing: recording.state().summary.missingSheets };
  };
  expect(await read("1.4.2")).toEqual({ text: expect.stringContaining('"_cssText":"h1{}"'), missing: 0 });
  const address = new URL(asked[1] ?? "", "https://mayday.example");
  expect(address.pathname).toBe("/api/v1/projects/7/stylesheets");
  expect(Object.fromEntries(address.searchParams)).toEqual({ release: "1.4.2", url: `${cdn}/app.css?v=1` });
  for (status of [204, 500]) expect((await read("1.4.2")).missing).toBe(1);
  asked = [];
  expect((await read(null)).missing).toBe(1);
  expect(asked).toEqual(["events"]);
});
