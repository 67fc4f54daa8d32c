import { EventType, type Mutation, type Node, type Recorded, Source } from "../../../../client/replay/format.ts";

/** Levels of a page that are put together: rrweb draws them one within the other. */
const deepest = 1_000;

/** A node of a picture, and its level. */
interface Place {
  node: Node;
  level: number;
}

/**
 * Puts pictures of a page together that were sent in several parts: what an event adds to the picture before it is put
 * into that, and the event is not played. Drawn as one, the page is whole at once, and as rrweb draws it. The events have
 * to be sanitized: only of changes (`Source.Mutation`) that has looked at what they add.
 */
export function pieces(): (event: Recorded) => boolean {
  let picture: Node | undefined;
  /** The nodes of that, once something goes on with it. */
  let places: Map<number, Place> | undefined;
  return ({ type, data }) => {
    if (type === EventType.FullSnapshot) {
      picture = data.node as Node;
      places = undefined;
    }
    if (type !== EventType.Incremental || data.source !== Source.Mutation || data.continues !== true) return false;
    if (!places) {
      places = new Map();
      if (picture) note(places, picture, 0);
    }
    for (const { parentId, node } of (data as unknown as Mutation).adds ?? []) put(places, parentId, node);
    return true;
  };
}

/** Notes where a node is, and those within it. */
function note(places: Map<number, Place>, top: Node, level: number): void {
  const open: Place[] = [{ node: top, level }];
  for (let place = open.pop(); place; place = open.pop()) {
    const within = place.level + 1;
    places.set(place.node.id, place);
    for (const node of place.node.childNodes ?? []) open.push({ node, level: within });
  }
}

/** Puts a node at the end of its parent; without that, which was in a part that is missing, it has no place. */
function put(places: Map<number, Place>, parentId: number, node: Node): void {
  const parent = places.get(parentId);
  if (!parent?.node.childNodes || parent.level >= deepest || places.has(node.id)) return;
  parent.node.childNodes.push(node);
  note(places, node, parent.level + 1);
}
