import { useState } from "react";

/** Pages of the browser's history whose state is kept, and values of each. */
const pagesMost = 50;
const valuesMost = 1_000;

/** What a person opened on pages, by the entry of the browser's history: coming back to a page finds it as it was. */
export class Kept {
  readonly #pages = new Map<string, Map<string, unknown>>();

  get(page: string, name: string): unknown {
    return this.#pages.get(page)?.get(name);
  }

  set(page: string, name: string, value: unknown): void {
    const values = this.#pages.get(page) ?? new Map<string, unknown>();
    // The page that was used last is the newest.
    this.#pages.delete(page);
    this.#pages.set(page, values);
    if (values.has(name) || values.size < valuesMost) values.set(name, value);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > pagesMost && oldest !== undefined) this.#pages.delete(oldest);
  }
}

const kept = new Kept();

/** The entry of the history that is shown; each visit has its own. */
function page(): string | undefined {
  const state: unknown = typeof history === "undefined" ? undefined : history.state;
  const key = typeof state === "object" && state !== null && "__TSR_key" in state ? state.__TSR_key : undefined;
  return typeof key === "string" ? key : undefined;
}

/** State that is there again when the person comes back to the page; without a name it is not kept. */
export function useKept<T>(name: string | undefined, initial: T): [value: T, set: (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const at = page();
    const known = name === undefined || at === undefined ? undefined : (kept.get(at, name) as T | undefined);
    return known ?? initial;
  });
  const set = (wanted: T) => {
    const at = page();
    if (name !== undefined && at !== undefined) kept.set(at, name, wanted);
    setValue(wanted);
  };
  return [value, set];
}
