/** A click or a tap. */
export interface Click {
  /** Milliseconds from the beginning. */
  at: number;
  x: number;
  y: number;
  /** Whether it was in a field, where nothing has to follow. */
  inField: boolean;
}

/** `rage`: three or more within a second at one place. `dead`: nothing on the page changed within two seconds. */
export type ClickKind = "plain" | "rage" | "dead";

const rageCount = 3;
const rageTime = 1_000;
/** How far apart clicks at one place may be, in pixels of the recorded page. */
const place = 24;
const deadTime = 2_000;

/** What each click is. `changes` are the times at which the page changed, in order; after `end` nothing is known. */
export function kindsOf(clicks: readonly Click[], changes: readonly number[], end: number): ClickKind[] {
  const kinds = clicks.map((click) => (isDead(click, changes, end) ? "dead" : "plain") as ClickKind);
  for (let last = rageCount - 1; last < clicks.length; last += 1) {
    const first = last - rageCount + 1;
    const group = clicks.slice(first, last + 1);
    const [one] = group;
    if (!one || (group.at(-1)?.at ?? 0) - one.at > rageTime) continue;
    if (group.some(({ x, y }) => Math.hypot(x - one.x, y - one.y) > place)) continue;
    kinds.fill("rage", first, last + 1);
  }
  return kinds;
}

function isDead({ at, inField }: Click, changes: readonly number[], end: number): boolean {
  if (inField || at + deadTime > end) return false;
  const next = changes[firstFrom(changes, at)];
  return next === undefined || next > at + deadTime;
}

/** The index of the first of some times that is not before one. */
export function firstFrom(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
