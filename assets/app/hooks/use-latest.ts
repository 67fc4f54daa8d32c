import { type RefObject, useInsertionEffect, useRef } from "react";

/** The value of the last render that was shown, for handlers that outlive theirs. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  // Before the effects of the same render, which may already read it.
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}
