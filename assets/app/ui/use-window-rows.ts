import { useMediaQuery } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, startTransition, useEffect, useLayoutEffect, useState } from "react";

/** Rows beyond those in sight that are drawn, so that scrolling shows no gaps. */
export const overscan = 12;

interface List {
  count: number;
  body: RefObject<HTMLElement | null>;
  /** Heights of a row in root ems, as the style sheet has them. */
  heights: { wide: number; narrow: number };
  /** The media query under which the narrow height holds. */
  narrow: string;
}

/** The rows in sight of a list that scrolls with the page. */
export function useWindowRows({ count, body, heights, narrow }: List) {
  const isNarrow = useMediaQuery(narrow, matchMedia(narrow).matches, { getInitialValueInEffect: false });
  const [margin, setMargin] = useState(0);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const size = (isNarrow ? heights.narrow : heights.wide) * rem;
  // What stands above the list may grow and shrink.
  useLayoutEffect(() => {
    const top = body.current ? body.current.getBoundingClientRect().top + window.scrollY : 0;
    if (Math.abs(top - margin) > 1) setMargin(top);
  });
  // What is in sight is drawn first.
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => startTransition(() => setDrawn(true)), []);
  const rows = useWindowVirtualizer({
    count,
    estimateSize: () => size,
    overscan: isDrawn ? overscan : 0,
    scrollMargin: margin,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured anew
  useEffect(() => rows.measure(), [rows, size]);
  return rows;
}
