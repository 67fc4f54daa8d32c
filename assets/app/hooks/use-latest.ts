import { type RefObject, useInsertionEffect, useRef } from "react";

/** The value of the last committed render, for handlers that outlive their render. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  // Runs before the effects of the same render, which may read it.
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}
