import { useState } from "react";

/** Within this the last answer is drawn, in milliseconds. */
const drawn = 100;

type Order = readonly (number | undefined)[];

/**
 * The order in which rows are shown. While `hold` is true (somebody points at the list or has selected rows), it
 * stays the same, so that nothing moves under the pointer; `late` counts the rows that should be elsewhere.
 */
export function useHeldOrder(key: string, order: Order, hold: boolean) {
  const [held, setHeld] = useState<{ key: string; order: Order }>();
  const [awaited, setAwaited] = useState<Order>();
  const isAnswered = awaited !== undefined && !same(awaited, order);
  if (isAnswered) setAwaited(undefined);
  if (!hold && held) setHeld(undefined);
  if (hold && (isAnswered || held?.key !== key || (held.order.length === 0 && order.length > 0)))
    setHeld({ key, order });
  const shown: Order = held ? fill(held.order, order) : order;
  return {
    shown,
    late: hold ? movedRows(shown, order) : 0,
    /** Shows the order of now. */
    release: () => setHeld({ key, order }),
    /**
     * Shows the current order, and the next one, which results from the person's own change. Call it when that change
     * is done; later changes by others do not move rows again.
     */
    expect: () => {
      setHeld({ key, order });
      setAwaited(order);
      return () => setTimeout(() => setAwaited((now) => (now === order ? undefined : now)), drawn);
    },
  };
}

function same(a: Order, b: Order): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at]);
}

/** The held order, with rows loaded since in empty places. */
export function fill(held: Order, now: Order): (number | undefined)[] {
  const known = new Set(held.filter((id) => id !== undefined));
  return held.map((id, at) => {
    const loaded = now[at];
    return id ?? (loaded !== undefined && !known.has(loaded) ? loaded : undefined);
  });
}

/** The number of rows that are out of place, among those known in both orders. */
export function movedRows(shown: Order, now: Order): number {
  const known = new Set(shown);
  const come = now.filter((id) => id !== undefined && !known.has(id)).length;
  return come > 0
    ? come
    : now.some((id, at) => id !== undefined && shown[at] !== undefined && shown[at] !== id)
      ? 1
      : 0;
}
