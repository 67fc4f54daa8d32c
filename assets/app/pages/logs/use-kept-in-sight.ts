import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Keeps the rows of a list in place while others are added above. `above` is the number of rows above the one that
 * the list is about; another one of these starts a new list.
 */
export function useKeptInSight(about: number, above: number | undefined): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const before = useRef({ about, above });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { about, above };
    if (was.about !== about || was.above === undefined || above === undefined || was.above === above) return;
    const row = list.current?.querySelector("[data-index]")?.getBoundingClientRect().height ?? 0;
    window.scrollBy(0, (above - was.above) * row);
  }, [about, above]);
  return list;
}
