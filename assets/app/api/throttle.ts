/** A function that hands on what it was called with, all of it, at most once in `pause` ms. */
export interface Throttled<T> {
  (item: T): void;
  /** Drops what waits. */
  stop(): void;
}

/** The first call goes through at once; later ones are gathered until the pause is over. */
export function throttle<T>(pause: number, run: (items: T[]) => void): Throttled<T> {
  let waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    timer = setTimeout(flush, pause);
    run(items);
  };
  const throttled = (item: T) => {
    waiting.push(item);
    if (timer === undefined) flush();
  };
  throttled.stop = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = [];
  };
  return throttled;
}
