import { expect, test } from "vitest";
import { EventType, type Mutation, type Node, NodeType, type Recorded, Source } from "./format.ts";
import { piecesOf } from "./pieces.ts";

let ids = 0;
const element = (tagName: string, ...childNodes: Node[]): Node => ({
  type: NodeType.Element,
  id: (ids += 1),
  tagName,
  attributes: {},
  childNodes,
});
const text = (textContent: string): Node => ({ type: NodeType.Text, id: (ids += 1), textContent });
const picture = (node: Node): Recorded => ({ type: EventType.FullSnapshot, timestamp: 7, data: { node } });

/** A list of so many rows, between what is before and after it. */
const page = (rows: number, characters = 100) =>
  element(
    "html",
    element("head", element("style", text("p { color: red }"))),
    element("body", text("before"), element("ul", ...rowsOf(rows, characters)), element("footer", text("after"))),
  );
const rowsOf = (rows: number, characters: number) =>
  Array.from({ length: rows }, (_, row) => element("li", text(`${row} ${"x".repeat(characters)}`)));

/** The picture with what goes on with it, as a player puts it together: each node at the end of its parent. */
function whole({ data }: Recorded, pieces: string[]): Node {
  const nodes = new Map<number, Node>();
  const note = (node: Node): void => {
    nodes.set(node.id, node);
    for (const child of node.childNodes ?? []) note(child);
  };
  note(data.node as Node);
  for (const piece of pieces) {
    for (const { parentId, nextId, node } of (JSON.parse(piece).data as Mutation).adds!) {
      expect([nextId, node.childNodes?.length ?? 0]).toEqual([null, 0]);
      nodes.get(parentId)!.childNodes!.push(node);
      note(node);
    }
  }
  return data.node as Node;
}

test.each([1_000, 3_000, 20_000, 1_000_000])("a picture in parts of %i characters is the same page", (most) => {
  const event = picture(page(300));
  const before = structuredClone(event.data.node);
  const pieces = piecesOf(event, most);
  expect(pieces.length > 0).toBe(most < 1_000_000);
  // A little more than the nodes: the frame of the event around them.
  for (const json of [JSON.stringify(event), ...pieces]) expect(json.length).toBeLessThan(most + 200);
  expect(whole(event, pieces)).toEqual(before);
});

test("each part is a change of the page that any player of rrweb makes, at the time of the picture", () => {
  const event = picture(page(50));
  const [first] = piecesOf(event, 2_000).map((piece) => JSON.parse(piece) as Recorded);
  expect(first).toMatchObject({ type: EventType.Incremental, timestamp: 7 });
  const rest = { texts: [], attributes: [], removes: [] };
  expect(first?.data).toMatchObject({ source: Source.Mutation, continues: true, ...rest });
});

test("a node that is larger than a part has one of its own: no node is cut", () => {
  const event = picture(element("body", text("a"), text("x".repeat(5_000)), text("b"), text("c")));
  const before = structuredClone(event.data.node);
  const pieces = piecesOf(event, 1_000);
  expect(pieces.map((piece) => (JSON.parse(piece).data as Mutation).adds?.length)).toEqual([1, 2]);
  expect(whole(event, pieces)).toEqual(before);
});

test("a page of 24 million characters is cut in the time of a picture", () => {
  const event = picture(page(100_000, 140));
  const begun = performance.now();
  const pieces = piecesOf(event);
  const took = performance.now() - begun;
  console.info(`${pieces.length + 1} parts in ${Math.round(took)} ms`);
  expect(pieces.length).toBeGreaterThan(5);
  expect(took).toBeLessThan(5_000);
});
