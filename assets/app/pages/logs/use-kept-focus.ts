import { useCallback, useEffect, useRef } from "react";
import { useLatest } from "../../hooks/use-latest.ts";
import type { LogSearch } from "./address.ts";
import { changed, type Show } from "./use-show.ts";

/** Frames in which the row of an entry may be drawn: the list is scrolled to where it was first. */
const frames = 10;

/**
 * Changes what is shown. Where the results take the place of what had the focus, it goes to the entry that the context
 * was about, or to the first.
 */
export function useKeptFocus(show: Show, search: LogSearch, hasResults: boolean): Show {
  const latest = useLatest(search);
  const left = useRef<{ entry: number | undefined }>(undefined);
  useEffect(() => {
    const lost = left.current;
    if (!hasResults || !lost) return;
    left.current = undefined;
    focusRow(lost.entry, frames);
  }, [hasResults]);
  return useCallback(
    (change) => {
      const was = latest.current;
      left.current = isLeft(was, change) && !isFocusLost() ? { entry: was.context } : undefined;
      show(change);
    },
    [show, latest],
  );
}

/** Whether a change leaves a context or the tail for the results. */
export const isLeft = (was: LogSearch, change: Partial<LogSearch>): boolean =>
  !hasResults(was) && hasResults(changed(was, change));

const hasResults = ({ context, view }: LogSearch): boolean => context === undefined && view !== "tail";

const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;

function focusRow(entry: number | undefined, tries: number): void {
  requestAnimationFrame(() => {
    // Somebody, or something, has taken it since.
    if (!isFocusLost()) return;
    const own = entry === undefined ? null : document.querySelector<HTMLElement>(`[data-entry="${entry}"] button`);
    const row =
      own ?? (tries === 0 || entry === undefined ? document.querySelector<HTMLElement>("[data-entry] button") : null);
    if (row) row.focus({ preventScroll: true });
    else if (tries > 0) focusRow(entry, tries - 1);
  });
}
