import { EventType, type Mutation, type Node, type Recorded, Source, tags } from "../../../../client/replay/format.ts";
import type { Known } from "./sanitize.ts";

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
 * to be sanitized: only of changes (`Source.Mutation`) that has looked at what they add. Recorders send nothing between a
 * picture and its parts, so that parts after anything else belong to a picture that is missing. What has no place in a
 * picture is noted in `known`.
 */
export function pieces(known: Known): (event: Recorded | undefined) => boolean {
  let picture: Node | undefined;
  /** The nodes of that, once something goes on with it. */
  let places: Map<number, Place> | undefined;
  return (event) => {
    if (event && goesOn(event)) {
      if (picture && !places) {
        places = new Map();
        note(places, picture, 0);
      }
      const { adds } = event.data as unknown as Mutation;
      for (const { parentId, node } of adds ?? []) if (!places || !put(places, parentId, node)) leaveOut(known, node);
      return true;
    }
    if (event && isHole(event)) return false;
    picture = event?.type === EventType.FullSnapshot ? (event.data.node as Node) : undefined;
    places = undefined;
    return false;
  };
}

const goesOn = ({ type, data }: Recorded): boolean =>
  type === EventType.Incremental && data.source === Source.Mutation && data.continues === true;

/** Whether parts are missing here of a chunk whose first one is there. */
function isHole({ type, data: { tag, payload } }: Recorded): boolean {
  if (type !== EventType.Custom || tag !== tags.gap) return false;
  return Number((payload as { from_part?: unknown } | undefined)?.from_part) > 0;
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

/** Puts a node at the end of its parent; false without that, which was in a part that is missing: it has no place. */
function put(places: Map<number, Place>, parentId: number, node: Node): boolean {
  const parent = places.get(parentId);
  if (!parent?.node.childNodes || parent.level >= deepest || places.has(node.id)) return false;
  parent.node.childNodes.push(node);
  note(places, node, parent.level + 1);
  return true;
}

/** Notes that a node is not drawn, and those within it. */
function leaveOut({ unplaced }: Known, top: Node): void {
  const open = [top];
  for (let node = open.pop(); node; node = open.pop()) {
    unplaced.add(node);
    for (const child of node.childNodes ?? []) open.push(child);
  }
}
