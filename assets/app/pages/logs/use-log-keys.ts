import { type RefObject, useRef } from "react";
import { useKeys } from "../../shell/keys.ts";

interface List {
  count: number;
  body: RefObject<HTMLElement | null>;
  /** Brings a row into sight. */
  scrollTo: (row: number) => void;
}

/** j and k through the rows: the focus moves, so that Enter opens. */
export function useLogKeys({ count, body, scrollTo }: List): void {
  const at = useRef(-1);
  const moving = useRef(false);
  const go = (step: number) => {
    if (count === 0) return;
    const focused = body.current?.querySelector<HTMLElement>("[data-index]:focus-within")?.dataset.index;
    // While the focus is moving, its target counts.
    const from = focused === undefined || moving.current ? at.current : Number(focused);
    at.current = Math.min(count - 1, Math.max(0, from + step));
    scrollTo(at.current);
    const focus = () => {
      const row = body.current?.querySelector<HTMLElement>(`[data-index="${at.current}"] button`);
      row?.focus({ preventScroll: true });
      return row !== null && row !== undefined;
    };
    // The row may have to be drawn first.
    moving.current = !focus();
    if (!moving.current) return;
    requestAnimationFrame(() => {
      moving.current = false;
      focus();
    });
  };
  useKeys("Log entries", [
    { keys: "j", does: "Next entry (Enter shows it)", run: () => go(1), repeats: true },
    { keys: "k", does: "Previous entry", run: () => go(-1), repeats: true },
  ]);
}
