/** A function that hands on what it was called with, all of it, at most once in `pause` ms. */
export interface Throttled<T> {
  (item: T): void;
  /** Drops what waits. */
  stop(): void;
}

/**
 * The first call goes through at once; later ones are gathered until the run before is over and the
 * pause after it, too.
 */
export function throttle<T>(pause: number, run: (items: T[]) => void | Promise<void>): Throttled<T> {
  let waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  const flush = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    running = true;
    const rest = () => {
      running = false;
      timer = setTimeout(flush, pause);
    };
    void Promise.resolve(run(items)).then(rest, rest);
  };
  const throttled = (item: T) => {
    waiting.push(item);
    if (timer === undefined && !running) flush();
  };
  throttled.stop = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = [];
  };
  return throttled;
}
