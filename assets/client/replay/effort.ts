import { type Meter, WINDOW } from "./meter.ts";

/**
 * How much is recorded: every change at once; the changes of half a second together; snapshots instead of changes;
 * nothing.
 */
export type Effort = "usual" | "coalesced" | "pictures" | "over";
const steps = ["usual", "coalesced", "pictures", "over"] as const;

/** Recording may take this share of the time. */
const MUCH = 1 / 10;
/** Below this many milliseconds of the window, the page is calm. */
const LITTLE = WINDOW / 50;
/** How long a step is tried before the next one, in milliseconds. */
const TRIAL: Record<Effort, number> = { usual: 0, coalesced: 2_000, pictures: 10_000, over: Number.POSITIVE_INFINITY };
/**
 * How long the page must be calm before more is recorded again, in milliseconds: at first, and at most. Doubles if
 * that was too early.
 */
const FIRST = 30_000;
const MOST = 960_000;

/** Decides how much is recorded, by the time that recording takes on the page's main thread. */
export function effort(meter: Pick<Meter, "spent" | "reset">) {
  let how: Effort = "usual";
  let share = 0;
  const now = (): number => performance.now();
  /** When the last step was taken, when the last one back, and when the page was last busy. */
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
    /** The percentage of the main thread's time that recording took before the last step to less. */
    share: () => share,
    /** Whether to record less. Calculates the share: after a step, for the time since then. */
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
