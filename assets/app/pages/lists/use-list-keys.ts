import { type RefObject, useRef } from "react";
import { useKeys } from "../../shell/keys.ts";

interface List {
  name: string;
  count: number;
  search: RefObject<HTMLInputElement | null>;
  /** Brings a row into sight. */
  scrollTo: (row: number) => void;
  body: RefObject<HTMLElement | null>;
}

/** `/` for the search, j and k through the rows: the focus moves, so that Enter opens. */
export function useListKeys({ name, count, search, scrollTo, body }: List): void {
  const at = useRef(-1);
  const moving = useRef(false);
  const go = (step: number) => {
    if (count === 0) return;
    const focused = body.current?.querySelector<HTMLElement>("[data-index]:focus-within")?.dataset.index;
    // While the focus is moving, its target counts.
    const from = focused === undefined || moving.current ? at.current : Number(focused);
    at.current = Math.min(count - 1, Math.max(0, from + step));
    moving.current = true;
    scrollTo(at.current);
    // The row may have to be drawn first.
    requestAnimationFrame(() => {
      const row = body.current?.querySelector<HTMLElement>(`[data-index="${at.current}"]`);
      moving.current = false;
      row?.querySelector<HTMLElement>("a, button")?.focus({ preventScroll: true });
    });
  };
  useKeys(name, [
    { keys: "/", does: "Search", run: () => search.current?.focus() },
    { keys: "j", does: "Next row", run: () => go(1) },
    { keys: "k", does: "Previous row", run: () => go(-1) },
  ]);
}
