import { useMediaQuery } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useState } from "react";

/** Rows beyond those in sight that are drawn, so that scrolling shows no gaps. */
const overscan = 12;
const small = "(max-width: 48em)";

interface List {
  count: number;
  body: RefObject<HTMLElement | null>;
  /** Heights of a row in root ems, as the style sheet has them. */
  heights: { wide: number; narrow: number };
  /** Called when the end comes into sight. */
  more: () => void;
}

/** The rows in sight of a list that scrolls with the page. */
export function useRows({ count, body, heights, more }: List) {
  const narrow = useMediaQuery(small, matchMedia(small).matches, { getInitialValueInEffect: false });
  const [margin, setMargin] = useState(0);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const size = (narrow ? heights.narrow : heights.wide) * rem;
  // What stands above the list may grow and shrink.
  useLayoutEffect(() => {
    const top = body.current ? body.current.getBoundingClientRect().top + window.scrollY : 0;
    if (Math.abs(top - margin) > 1) setMargin(top);
  });
  const rows = useWindowVirtualizer({ count, estimateSize: () => size, overscan, scrollMargin: margin });
  useEffect(() => rows.measure(), [rows, size]);
  const last = rows.getVirtualItems().at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= count - overscan && count > 0) more();
  }, [last, count, more]);
  return rows;
}
