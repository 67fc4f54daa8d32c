import { type Meter, WINDOW } from "./meter.ts";

/**
 * What is recorded: everything at once; what changed in half a second together; pictures of the whole page instead of
 * its changes; nothing any more.
 */
export type Effort = "usual" | "coalesced" | "pictures" | "over";
const steps = ["usual", "coalesced", "pictures", "over"] as const;

/** Milliseconds of the window, a tenth of it, from which on recording takes too much; below the others, it is calm. */
const MUCH = WINDOW / 10;
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
    isTooMuch: (): boolean => now() - since >= TRIAL[how] && meter.spent() > MUCH,
    isCalm(): boolean {
      if (meter.spent() > LITTLE) busy = now();
      return how !== "usual" && now() - Math.max(since, busy) >= wait;
    },
    less(): void {
      const at = now();
      share = Math.min(100, Math.round((100 * meter.spent()) / Math.min(WINDOW, Math.max(MUCH, at - since))));
      if (at - back < MOST) wait = Math.min(MOST, 2 * wait);
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
