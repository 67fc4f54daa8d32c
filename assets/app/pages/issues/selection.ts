import { useState } from "react";

/** The chosen issues and the row the keyboard is at. */
export function useSelection(order: (number | undefined)[]) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [last, setLast] = useState<number>();
  const [cursor, setCursor] = useState<number>();

  const choose = (id: number, wanted: boolean, range: boolean) => {
    setChosen(within(chosen, order, id, wanted, range ? last : undefined));
    setLast(id);
  };
  return {
    chosen,
    cursor,
    choose,
    set: (ids: Iterable<number>) => setChosen(new Set(ids)),
    clear: () => setChosen(new Set()),
    move: (by: number) => {
      if (order.length === 0) return;
      setCursor(Math.min(Math.max((cursor ?? (by > 0 ? -1 : order.length)) + by, 0), order.length - 1));
    },
    reset: () => {
      setChosen(new Set());
      setCursor(undefined);
    },
  };
}

/** The set with one row chosen or not, or with all rows between it and `from`. */
export function within(
  chosen: ReadonlySet<number>,
  order: readonly (number | undefined)[],
  id: number,
  wanted: boolean,
  from?: number,
): Set<number> {
  const next = new Set(chosen);
  const [a, b] = [order.indexOf(from), order.indexOf(id)];
  const ids = from === undefined || a < 0 || b < 0 ? [id] : order.slice(Math.min(a, b), Math.max(a, b) + 1);
  for (const each of ids) {
    if (each === undefined) continue;
    if (wanted) next.add(each);
    else next.delete(each);
  }
  return next;
}
