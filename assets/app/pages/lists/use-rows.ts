import { type RefObject, useEffect } from "react";
import { overscan, useWindowRows } from "../../ui/use-window-rows.ts";

interface List {
  count: number;
  body: RefObject<HTMLElement | null>;
  heights: { wide: number; narrow: number };
  /** Called when the end scrolls into sight. */
  more: () => void;
}

/** The rows in sight of a list that grows at its end. */
export function useRows({ count, body, heights, more }: List) {
  const rows = useWindowRows({ count, body, heights, narrow: "(max-width: 48em)" });
  const last = rows.getVirtualItems().at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= count - overscan && count > 0) more();
  }, [last, count, more]);
  return rows;
}
