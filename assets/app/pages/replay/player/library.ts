import { Replayer } from "@rrweb/replay";
import type { Recorded } from "../../../../client/replay/format.ts";

const silent = { log: () => {}, warn: () => {} };

/** What is not recorded has a place all the same. */
const own = [
  "img:not([src]), video, audio, canvas { background: repeating-linear-gradient(45deg, transparent 0 0.5em, color-mix(in srgb, gray 40%, transparent) 0.5em 0.625em); }",
];

/** rrweb's player in a document of its own; what it draws is in a frame in there, in which nothing runs. */
export function makeReplayer(root: HTMLElement, events: Recorded[]): Replayer {
  return new Replayer(events as never, {
    root,
    mouseTail: false,
    triggerFocus: false,
    showWarning: false,
    skipInactive: false,
    UNSAFE_replayCanvas: false,
    insertStyleRules: own,
    logger: silent as never,
  });
}
