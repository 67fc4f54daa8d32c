import { useState } from "react";

/** Within this the last answer is drawn, in milliseconds. */
const drawn = 100;

type Order = readonly (number | undefined)[];

/**
 * The order in which rows are shown. While `hold` (somebody points at the list or has chosen rows)
 * it stays as it was, so that nothing moves under the pointer; `late` counts the rows that stand
 * elsewhere by now.
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
     * Shows the order of now, and the next one, too: it is the answer to the person's own change. To be
     * called when that is over; once its answer is drawn, others move nothing again.
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

/** The held order, with what has been loaded since in the places that were empty. */
export function fill(held: Order, now: Order): (number | undefined)[] {
  const known = new Set(held.filter((id) => id !== undefined));
  return held.map((id, at) => {
    const loaded = now[at];
    return id ?? (loaded !== undefined && !known.has(loaded) ? loaded : undefined);
  });
}

/** Rows that are not where they would be now, among those that are known on both sides. */
export function movedRows(shown: Order, now: Order): number {
  const known = new Set(shown);
  const come = now.filter((id) => id !== undefined && !known.has(id)).length;
  return come > 0
    ? come
    : now.some((id, at) => id !== undefined && shown[at] !== undefined && shown[at] !== id)
      ? 1
      : 0;
}
