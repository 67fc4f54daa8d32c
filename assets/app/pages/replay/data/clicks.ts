/** A click or a tap. */
export interface Click {
  /** Milliseconds from the beginning. */
  at: number;
  x: number;
  y: number;
  /** Whether no change is expected: it was in a field, or changes were not recorded. */
  isFree: boolean;
}

/**
 * `rage`: three or more clicks at one place, any three within a second, after which the page did not change; five or
 * more even if it did. `dead`: nothing on the page changed within two seconds.
 */
export type ClickKind = "plain" | "rage" | "dead";

const rageCount = 3;
const rageTime = 1_000;
/** Nobody clicks a counter that fast. */
const rageAnyway = 5;
/** The largest distance of clicks at the same place, in pixels of the recorded page. */
const place = 24;
const deadTime = 2_000;

/** The kind of each click. `changes` are the times of the page's changes, in order; after `end` they are unknown. */
export function kindsOf(clicks: readonly Click[], changes: readonly number[], end: number): ClickKind[] {
  const kinds = clicks.map((click) => (isDead(click, changes, end) ? "dead" : "plain") as ClickKind);
  for (let first = 0; first < clicks.length; ) {
    const end = runFrom(clicks, first);
    const last = clicks[end - 1] as Click;
    const isRage = end - first >= rageAnyway || !(last.isFree || hasEffect(last, changes));
    const isRun = end - first >= rageCount;
    if (isRun && isRage) kinds.fill("rage", first, end);
    first = isRun ? end : first + 1;
  }
  return kinds;
}

/** The index after the clicks that belong together, from one of them on. */
function runFrom(clicks: readonly Click[], first: number): number {
  const one = clicks[first] as Click;
  let end = first + 1;
  for (let next = clicks[end]; next; next = clicks[end]) {
    const since = clicks[Math.max(first, end - rageCount + 1)] as Click;
    if (next.at - since.at > rageTime || Math.hypot(next.x - one.x, next.y - one.y) > place) break;
    end += 1;
  }
  return end;
}

function hasEffect({ at }: Click, changes: readonly number[]): boolean {
  const next = changes[firstFrom(changes, at)];
  return next !== undefined && next <= at + deadTime;
}

function isDead(click: Click, changes: readonly number[], end: number): boolean {
  const { at, isFree } = click;
  return !isFree && at + deadTime <= end && !hasEffect(click, changes);
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
