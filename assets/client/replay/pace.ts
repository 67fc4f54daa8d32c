import { attempt } from "../safe.ts";

/**
 * A snapshot may take this many milliseconds of the main thread to be taken as often as is useful, and is heavy from
 * the second number on.
 */
const CHEAP = 50;
const HEAVY = 250;
/**
 * The minimum interval between two snapshots, the interval after an expensive one (it doubles), and the longest, in
 * milliseconds.
 */
const LEAST = 10_000;
const FIRST = 120_000;
export const MOST = 960_000;
/** How long consecutive heavy snapshots may take together, in milliseconds. */
const ENOUGH = 5_000;

/** Whether snapshots are taken as often as useful, less often, only when necessary, or no more. */
export type Pictures = "usual" | "rarer" | "none" | "over";

const nodesOf = (): number => attempt(() => document.getElementsByTagName("*").length) ?? 0;

/**
 * Decides when full snapshots are taken, by what they cost. A single heavy one may be due to a busy machine, so only
 * two in a row stop them; one that does not fit would not fit the next time, either.
 */
export function pace() {
  let pictures: Pictures = "usual";
  /** When the last one was taken, and its cost in milliseconds. */
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
    /** Records what a snapshot cost, and whether it fits into the buffer. */
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
    /** Whether to take a snapshot that would be useful every `every` milliseconds. */
    isTime: (at: number, every: number): boolean =>
      (pictures === "usual" || pictures === "rarer") && has(Math.max(every, wait), at),
    /** Whether the page has become much smaller since its snapshots were too expensive. */
    isLight: (at: number): boolean => pictures === "none" && has(0, at) && nodesOf() * 2 <= nodes,
    /** Events are missing, so that a snapshot is necessary: the more often, the later. */
    holed(at: number): void {
      holes = at - holedAt > MOST ? 0 : holes + 1;
      holedAt = at;
    },
    mayMend: (at: number): boolean =>
      pictures !== "over" && has(Math.max(wait, Math.min(MOST, LEAST * 2 ** holes)), at),
  };
}
