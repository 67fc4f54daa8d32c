import { expect, test } from "vitest";
import { EventType, NodeType, type Recorded, Source, tags } from "../../../../client/replay/format.ts";
import { pieces } from "./pieces.ts";
import { nothingKnown, sanitized } from "./sanitize.ts";

const element = (id: number, tagName: string, ...childNodes: unknown[]) => ({
  type: NodeType.Element,
  id,
  tagName,
  attributes: {},
  childNodes,
});
const text = (id: number, textContent: string, more: object = {}) => ({
  type: NodeType.Text,
  id,
  textContent,
  ...more,
});
const picture = (...childNodes: unknown[]) => ({
  type: EventType.FullSnapshot,
  timestamp: 1,
  data: { node: { type: NodeType.Document, id: 1, childNodes } },
});
const piece = (adds: [parentId: unknown, node: unknown][], more: object = {}) => ({
  type: EventType.Incremental,
  timestamp: 1,
  data: {
    source: Source.Mutation,
    adds: adds.map(([parentId, node]) => ({ parentId, nextId: null, node })),
    continues: true,
    ...more,
  },
});

/** What is left to play of events of anybody's, and their picture as JSON. */
function played(...given: object[]): { rest: Recorded[]; drawn: string } {
  const known = nothingKnown();
  const isPiece = pieces(known);
  const events = given.map((event) => sanitized(JSON.parse(JSON.stringify(event)), known));
  const rest = events.filter((event) => !isPiece(event)).filter((event) => event !== undefined);
  return { rest, drawn: JSON.stringify(rest.find(({ type }) => type === EventType.FullSnapshot)?.data.node) };
}

test("nodes within nodes have a place, and what goes on with them finds it", () => {
  const { rest, drawn } = played(
    picture(element(2, "ul")),
    piece([[2, element(3, "li", element(4, "b"))]]),
    piece([[4, text(5, "deep")]]),
  );
  expect(rest).toHaveLength(1);
  const whole = picture(element(2, "ul", element(3, "li", element(4, "b", text(5, "deep")))));
  expect(drawn).toBe(JSON.stringify(whole.data.node));
});

test("only what was cleaned as a change of the page is put into a picture", () => {
  const hostile = [[1, element(7, "script")]] as [number, object][];
  for (const source of [Source.MouseMove, Source.Scroll, Source.Input, Source.StyleSheetRule]) {
    const { rest, drawn } = played(picture(element(2, "p")), piece(hostile, { source }));
    expect(drawn).not.toContain("script");
    expect(rest).toHaveLength(2);
    // What it has may be anything.
    expect(played(picture(), piece([], { source, adds: 5 })).rest).toHaveLength(2);
  }
  expect(played(picture(element(2, "p")), piece(hostile)).drawn).toContain('"noscript"');
});

test("text nodes have no children, and ids are unique numbers", () => {
  for (const childNodes of [5, {}, "x", [null], [element(9, "script")]]) {
    const { rest, drawn } = played(
      picture(element(2, "p", text(3, "words", { childNodes }))),
      piece([
        [3, text(4, "no")],
        [2, text(5, "more", { childNodes })],
        [5, text(6, "no")],
        [9, text(7, "no")],
      ]),
    );
    expect(rest).toHaveLength(1);
    expect(drawn).toBe(JSON.stringify(picture(element(2, "p", text(3, "words"), text(5, "more"))).data.node));
  }
  const odd = ["__proto__", "constructor", null, {}, -1].map((id): [unknown, object] => [id, text(8, "no")]);
  expect(played(picture(element(2, "p")), piece([...odd, [2, element(2, "p")]])).drawn).not.toMatch(/no|"p".*"p"/);
});

test("texts of style sheets that come in another part than these fetch nothing", () => {
  const css = "@import 'https://evil.example/x.css'; p { color: red }";
  const { drawn } = played(picture(element(2, "style")), piece([[2, text(3, css)]]));
  expect(drawn).toContain("color: red");
  expect(drawn).not.toContain("evil");
});

test("parts of a picture that is missing are not put into the one before it", () => {
  const gap = (payload: unknown) => ({ type: EventType.Custom, timestamp: 1, data: { tag: tags.gap, payload } });
  const meta = { type: EventType.Meta, timestamp: 1, data: { href: "https://shop.example/", width: 800, height: 600 } };
  const deep = { ...picture(), data: { node: 5 } };
  const [page, late] = [picture(element(2, "p")), piece([[2, text(3, "late")]])];
  const before = JSON.stringify(page.data.node);
  for (const between of [gap({ from_part: 0, to_part: 0 }), gap({ from_chunk: 1 }), gap(null), meta]) {
    expect(played(page, between, late).drawn, JSON.stringify(between)).toBe(before);
  }
  expect(played(page, deep, late).drawn, "a picture that is none").toBe(before);
  expect(played(page, gap({ from_part: 1, to_part: 2 }), late).drawn).toContain("late");
});
