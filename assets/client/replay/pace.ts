import { attempt } from "../safe.ts";

/** Milliseconds of the main thread that a picture may take as often as it is useful, and from which on it is heavy. */
const CHEAP = 50;
const HEAVY = 250;
/** Milliseconds between two pictures: never fewer, after a dear one to begin with (it doubles), and at most. */
const LEAST = 10_000;
const FIRST = 120_000;
export const MOST = 960_000;
/** Milliseconds that heavy pictures in a row may take together. */
const ENOUGH = 5_000;

/** Whether pictures are taken as often as is useful, less often, only where nothing goes on without, or no more. */
export type Pictures = "usual" | "rarer" | "none" | "over";

const nodesOf = (): number => attempt(() => document.getElementsByTagName("*").length) ?? 0;

/**
 * When pictures of the whole page are taken, by what they cost it. A single heavy one may be a moment in which the
 * machine was busy, so it takes two in a row before no more are taken; one that has no room comes out the same again.
 */
export function pace() {
  let pictures: Pictures = "usual";
  /** When the last one was taken, and its milliseconds. */
  let last = 0;
  let took = 0;
  let wait = 0;
  let heavy = 0;
  let spent = 0;
  let nodes = 0;
  let holes = 0;
  let holedAt = 0;
  const has = (time: number, at: number): boolean => at - last >= Math.max(LEAST, time);

  return {
    pictures: () => pictures,
    last: () => last,
    took: () => took,
    begun(at: number): void {
      last = at;
    },
    /** What a picture cost, and whether it has room where it is kept. */
    done(milliseconds: number, hasRoom: boolean): void {
      took = Math.round(milliseconds);
      const isHeavy = took > HEAVY || !hasRoom;
      heavy = isHeavy ? heavy + 1 : 0;
      spent = isHeavy ? spent + took : 0;
      if (isHeavy || took > CHEAP) {
        wait = Math.min(MOST, wait ? 2 * wait : FIRST);
        pictures = !hasRoom || heavy > 1 ? "none" : "rarer";
        if (heavy > 1 && spent > ENOUGH) pictures = "over";
        nodes = nodesOf();
      } else [wait, pictures] = [0, "usual"];
    },
    /** Whether it is time for one that is useful, if there should be one every so many milliseconds. */
    isTime: (at: number, every: number): boolean =>
      (pictures === "usual" || pictures === "rarer") && has(Math.max(every, wait), at),
    /** Whether the page has become much smaller since pictures of it were too dear. */
    isLight: (at: number): boolean => pictures === "none" && has(0, at) && nodesOf() * 2 <= nodes,
    /** Events are missing, so that one is needed: the more often, the later. */
    holed(at: number): void {
      holes = at - holedAt > MOST ? 0 : holes + 1;
      holedAt = at;
    },
    mayMend: (at: number): boolean =>
      pictures !== "over" && has(Math.max(wait, Math.min(MOST, LEAST * 2 ** holes)), at),
  };
}
