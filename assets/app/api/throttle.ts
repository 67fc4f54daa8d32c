/** A function that hands on what it was called with, all of it, with pauses. */
export interface Throttled<T> {
  (item: T): void;
  /** Drops what waits. */
  stop(): void;
}

/**
 * The first call goes through at once; later ones are gathered until the run before is over and
 * `pause` ms after it, too. None goes before `wait()` says 0: it is asked again after what it said.
 */
export function throttle<T>(
  pause: number,
  run: (items: T[]) => void | Promise<void>,
  wait: () => number = () => 0,
): Throttled<T> {
  let waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  const flush = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    const rest = wait();
    if (rest > 0) {
      timer = setTimeout(flush, rest);
      return;
    }
    const items = waiting;
    waiting = [];
    running = true;
    const after = () => {
      running = false;
      timer = setTimeout(flush, pause);
    };
    void Promise.resolve(run(items)).then(after, after);
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
