import { type RefObject, useEffect, useRef, useState } from "react";
import { type Extent, Sight } from "./sight.ts";

/**
 * Keeps the row with an id in sight of a box that scrolls, until a person scrolls it; `chosen` is another object each
 * time they choose a row, and nothing while the box does not scroll. What is returned is to be told that it scrolls.
 */
export function useInSight(box: RefObject<HTMLElement | null>, id: string | undefined, chosen: object | undefined) {
  const [sight] = useState(() => new Sight());
  const last = useRef(chosen);
  useEffect(() => {
    if (chosen !== last.current) sight.release();
    last.current = chosen;
    const [element, row] = [box.current, rowOf(id)];
    if (!element || !row || !chosen) return;
    const by = sight.away(extentOf(row), extentOf(element));
    if (by === 0) return;
    element.scrollTop += by;
    sight.brought(element.scrollTop);
  }, [box, sight, id, chosen]);
  return () => {
    const [element, row] = [box.current, rowOf(id)];
    if (element) sight.scrolled(element.scrollTop, row && extentOf(row), extentOf(element));
  };
}

const rowOf = (id: string | undefined): HTMLElement | undefined =>
  id === undefined ? undefined : (document.getElementById(id) ?? undefined);

function extentOf(element: HTMLElement): Extent {
  const { top, bottom } = element.getBoundingClientRect();
  return { top, bottom };
}
