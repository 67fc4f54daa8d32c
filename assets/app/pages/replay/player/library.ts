import { Replayer } from "@rrweb/replay";
import type { Recorded } from "../../../../client/replay/format.ts";

const silent = { log: () => {}, warn: () => {} };

/** Styles for elements of which only the size was recorded. */
const own = [
  "img:not([src]), video, audio, canvas { background: repeating-linear-gradient(45deg, transparent 0 0.5em, color-mix(in srgb, gray 40%, transparent) 0.5em 0.625em); }",
];

/** Starts rrweb's player in a separate document; the recorded page is in a frame within it, in which nothing runs. */
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
