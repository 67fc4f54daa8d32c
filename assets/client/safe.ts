/**
 * Values from a page may be anything: with getters that throw, proxies, values that cannot be converted to a string.
 * All code that touches them runs through here.
 */
export function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** A value as text; empty if it cannot be converted. */
export function text(value: unknown): string {
  return attempt(() => String(value)) || "";
}

export const isObject = (value: unknown): value is Record<string, unknown> => Object(value) === value;

/** `[object Array]`, and the like. */
export const kindOf = (value: unknown): string =>
  attempt(() => Object.prototype.toString.call(value)) || "[object Object]";

/** Lets Node end while a timer runs. */
export const letGo = (timer: unknown): void => {
  attempt(() => (timer as { unref(): void }).unref());
};
