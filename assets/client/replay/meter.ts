/** The window over which recording's time is summed up, in milliseconds, in parts that expire one by one. */
export const WINDOW = 5_000;
const PART = 500;
const PARTS = WINDOW / PART;

export type Meter = ReturnType<typeof meter>;

/** Sums up the time that recording takes on the page's main thread; calls `done` after each piece of work. */
export function meter(done: () => void) {
  const spent = new Array<number>(PARTS).fill(0);
  let part = 0;
  let isRunning = false;
  /** Milliseconds of the current piece of work that do not count. */
  let free = 0;
  const now = (): number => performance.now();

  /** Drops expired parts of the window. */
  const slide = (at: number): void => {
    const to = Math.floor(at / PART);
    for (let each = Math.max(part, to - PARTS) + 1; each <= to; each += 1) spent[each % PARTS] = 0;
    part = to;
  };

  return {
    /** Measures a piece of work; nested work is counted once. */
    run<T>(act: () => T): T {
      if (isRunning) return act();
      isRunning = true;
      free = 0;
      const begun = now();
      try {
        return act();
      } finally {
        const at = now();
        isRunning = false;
        slide(at);
        spent[part % PARTS]! += at - begun - free;
        done();
      }
    },
    /** Takes a full snapshot, whose cost `pace.ts` handles separately. */
    aside<T>(act: () => T): T {
      const before = isRunning;
      const begun = now();
      isRunning = true;
      try {
        return act();
      } finally {
        isRunning = before;
        free += now() - begun;
      }
    },
    /** Milliseconds of recording in the window. */
    spent(): number {
      slide(now());
      return spent.reduce((sum, each) => sum + each, 0);
    },
    reset: () => void spent.fill(0),
  };
}
