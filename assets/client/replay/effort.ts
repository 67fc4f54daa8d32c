import { type Meter, WINDOW } from "./meter.ts";

/**
 * What is recorded: everything at once; what changed in half a second together; pictures of the whole page instead of
 * its changes; nothing any more.
 */
export type Effort = "usual" | "coalesced" | "pictures" | "over";
const steps = ["usual", "coalesced", "pictures", "over"] as const;

/** The part of the time from which on recording takes too much. */
const MUCH = 1 / 10;
/** Milliseconds of the window below which it is calm. */
const LITTLE = WINDOW / 50;
/** Milliseconds in which a step shows what it saves, before the next one. */
const TRIAL: Record<Effort, number> = { usual: 0, coalesced: 2_000, pictures: 10_000, over: Number.POSITIVE_INFINITY };
/** Milliseconds of calm before more is recorded again: at first, and at most; they double where that was too early. */
const FIRST = 30_000;
const MOST = 960_000;

/** How much is recorded, by what recording takes of the page's main thread. */
export function effort(meter: Pick<Meter, "spent" | "reset">) {
  let how: Effort = "usual";
  let share = 0;
  const now = (): number => performance.now();
  /** When the last step was taken, the last one back, and when it was last not calm. */
  let since = now();
  let back = Number.NEGATIVE_INFINITY;
  let busy = 0;
  let wait = FIRST;

  const step = (by: 1 | -1): void => {
    how = steps[steps.indexOf(how) + by]!;
    since = now();
    meter.reset();
  };

  return {
    how: () => how,
    /** Percent of the main thread that recording took before the last step to less. */
    share: () => share,
    /** Whether it is time for less, which is when the share is worked out: after a step, of the time since then. */
    isTooMuch(): boolean {
      const spent = meter.spent();
      const passed = now() - since;
      const isMuch = spent > MUCH * (how === "usual" ? WINDOW : Math.min(WINDOW, passed));
      if (!isMuch || passed < TRIAL[how]) return false;
      share = Math.min(100, Math.round((100 * spent) / Math.min(WINDOW, passed)));
      return true;
    },
    isCalm(): boolean {
      if (meter.spent() > LITTLE) busy = now();
      return how !== "usual" && now() - Math.max(since, busy) >= wait;
    },
    less(): void {
      if (now() - back < MOST) wait = Math.min(MOST, 2 * wait);
      else if (how === "usual") wait = FIRST;
      step(1);
      back = Number.NEGATIVE_INFINITY;
    },
    more(): void {
      step(-1);
      back = since;
    },
  };
}
