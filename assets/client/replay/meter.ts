/** Milliseconds of the page over which what recording takes is added up, in parts that are forgotten one by one. */
export const WINDOW = 5_000;
const PART = 500;
const PARTS = WINDOW / PART;

export type Meter = ReturnType<typeof meter>;

/** Adds up what recording takes of the page's main thread; `done` is called after each piece of work. */
export function meter(done: () => void) {
  const spent = new Array<number>(PARTS).fill(0);
  let part = 0;
  let isRunning = false;
  /** Milliseconds of the current piece of work that do not count. */
  let free = 0;
  const now = (): number => performance.now();

  /** Forgets what is no longer in the window. */
  const slide = (at: number): void => {
    const to = Math.floor(at / PART);
    for (let each = Math.max(part, to - PARTS) + 1; each <= to; each += 1) spent[each % PARTS] = 0;
    part = to;
  };

  return {
    /** Does a piece of work; what belongs to one already is counted once. */
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
    /** Takes a picture of the whole page: `pace.ts` looks at what that costs. */
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
    /** Milliseconds of the window. */
    spent(): number {
      slide(now());
      return spent.reduce((sum, each) => sum + each, 0);
    },
    reset: () => void spent.fill(0),
  };
}
