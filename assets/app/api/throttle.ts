/** A function that passes on its arguments in batches, with pauses. */
export interface Throttled<T> {
  (item: T): void;
  /** Drops what is pending. */
  stop(): void;
}

/**
 * The first call runs at once; later ones are collected until the previous run is over and `pause` ms have passed
 * since. None runs before `wait()` returns 0; it is called again after the time it returned.
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
