import { useState } from "react";

type Order = readonly (number | undefined)[];

/** The issue at the cursor, and its position. */
export interface Cursor {
  id: number;
  place: number;
}

/**
 * The chosen issues and the issue the keyboard is at; `first` is where it begins, if anywhere. Of old rows none can be
 * chosen: they may not be among the next ones.
 */
export function useSelection(order: Order, first?: Cursor, old = false) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [last, setLast] = useState<number>();
  const [held, setCursor] = useState<Cursor | undefined>(first);
  const cursor = held && followed(held, order);
  if (cursor?.id !== held?.id || cursor?.place !== held?.place) setCursor(cursor);
  const at = cursor && order.indexOf(cursor.id);

  const choose = (id: number, wanted: boolean, range: boolean) => {
    if (old) return;
    setChosen(within(chosen, order, id, wanted, range ? last : undefined));
    setLast(id);
  };
  return {
    chosen,
    /** The cursor's position in the list. */
    cursor: at === -1 ? undefined : at,
    /** The issue at the cursor. */
    current: cursor?.id,
    choose,
    set: (ids: Iterable<number>) => {
      if (!old) setChosen(new Set(ids));
    },
    clear: () => setChosen(new Set()),
    move: (by: number) => {
      const place = Math.min(Math.max((at ?? (by > 0 ? -1 : order.length)) + by, 0), order.length - 1);
      const id = order[place];
      if (id !== undefined) setCursor({ id, place });
    },
    reset: () => {
      setChosen(new Set());
      setCursor(undefined);
    },
  };
}

/** The cursor in the current list; if its issue has left, at the issue in its place. */
export function followed(cursor: Cursor, order: Order): Cursor | undefined {
  const at = order.indexOf(cursor.id);
  if (at >= 0) return at === cursor.place ? cursor : { id: cursor.id, place: at };
  const place = Math.min(cursor.place, order.length - 1);
  const id = order[place];
  // A position that is not loaded yet may have it.
  if (id === undefined) return order.length === 0 ? undefined : cursor;
  return { id, place };
}

/** The set with one row chosen or not, or with all rows between it and `from`. */
export function within(
  chosen: ReadonlySet<number>,
  order: Order,
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
