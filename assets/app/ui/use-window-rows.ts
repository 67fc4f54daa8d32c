import { useMediaQuery } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, startTransition, useEffect, useLayoutEffect, useState } from "react";

/** Rows rendered beyond the visible ones, so that scrolling shows no gaps. */
export const overscan = 12;

interface List {
  count: number;
  body: RefObject<HTMLElement | null>;
  /** Heights of a row in root ems, as the style sheet has them. */
  heights: { wide: number; narrow: number };
  /** The media query for the narrow height. */
  narrow: string;
  /** What the rows are about: of another list, the visible rows are rendered first again. */
  content?: unknown;
}

const rootLength = (name: "fontSize" | "scrollPaddingTop" | "scrollPaddingBottom") =>
  Number.parseFloat(getComputedStyle(document.documentElement)[name]) || 0;

/** How much at the top of the window what sticks there may cover: the head of a list, or the bars of the page. */
export const coveredTop = () => Math.max(2.5 * rootLength("fontSize"), rootLength("scrollPaddingTop"));

/** The visible rows of a list that scrolls with the page. */
export function useWindowRows({ count, body, heights, narrow, content = true }: List) {
  const isNarrow = useMediaQuery(narrow, matchMedia(narrow).matches, { getInitialValueInEffect: false });
  const [margin, setMargin] = useState(0);
  const size = (isNarrow ? heights.narrow : heights.wide) * rootLength("fontSize");
  // The content above the list may change its height.
  useLayoutEffect(() => {
    const top = body.current ? body.current.getBoundingClientRect().top + window.scrollY : 0;
    if (Math.abs(top - margin) > 1) setMargin(top);
  });
  // The visible rows are rendered first.
  const [drawn, setDrawn] = useState<unknown>();
  useEffect(() => startTransition(() => setDrawn(content)), [content]);
  const rows = useWindowVirtualizer({
    count,
    estimateSize: () => size,
    overscan: drawn === content ? overscan : 0,
    scrollMargin: margin,
    // What sticks to the top and the bottom of the window covers no row that is moved to.
    scrollPaddingStart: coveredTop(),
    scrollPaddingEnd: rootLength("scrollPaddingBottom"),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured anew
  useEffect(() => rows.measure(), [rows, size]);
  return rows;
}
