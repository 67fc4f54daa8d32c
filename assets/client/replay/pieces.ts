import { EventType, type Node, type Recorded, Source } from "./format.ts";

/**
 * Characters of a part of a picture. As bytes they are at most three times as many, which has room in a request, packed
 * or not.
 */
export const PART = 3_000_000;

/**
 * Cuts what has no room out of a picture, in place, and answers with events that go on with it, each small enough to be
 * sent alone: they add the nodes that were cut out, in their order. No node is cut.
 */
export function piecesOf({ timestamp, data }: Recorded, most = PART): string[] {
  const pieces: string[][] = [];
  let left = most;
  const visit = (node: Node, parent?: Node): void => {
    const children = node.childNodes;
    if (children) node.childNodes = [];
    const json = `{"parentId":${parent?.id},"nextId":null,"node":${JSON.stringify(node)}}`;
    left -= json.length + 1;
    if (left < 0 && parent) {
      pieces.push([]);
      left = most - json.length;
    }
    const piece = pieces.at(-1);
    if (piece) piece.push(json);
    else parent?.childNodes?.push(node);
    for (const child of children || []) visit(child, node);
  };
  visit(data.node as Node);
  const empty = { source: Source.Mutation, texts: [], attributes: [], removes: [], continues: true, adds: [] };
  const head = JSON.stringify({ type: EventType.Incremental, timestamp, data: empty }).slice(0, -"]}}".length);
  return pieces.map((adds) => `${head}${adds.join()}]}}`);
}
