import { type FocusEvent, type PointerEvent, useCallback, useEffect, useState } from "react";
import { type Arrived, type Tail, arrive, empty, released } from "./tail.ts";
import { type Connection, useTailStream } from "./use-tail-stream.ts";

/** What arrived under an address of the stream; while it is held, the rows stay where they are. */
export function useTail(address: string, isHeld: boolean): { tail: Tail; connection: Connection; letIn: () => void } {
  const [{ tail, of }, setTail] = useState({ tail: empty, of: address });
  if (of !== address) setTail({ tail: empty, of: address });
  const change = useCallback(
    (act: (tail: Tail) => Tail) => setTail((now) => (now.of === address ? { ...now, tail: act(now.tail) } : now)),
    [address],
  );
  const connection = useTailStream(address, (messages: Arrived[]) => change((now) => arrive(now, messages, isHeld)));
  const letIn = useCallback(() => change(released), [change]);
  useEffect(() => {
    if (!isHeld) letIn();
  }, [isHeld, letIn]);
  return { tail, connection, letIn };
}

/** Scrolled so far, in CSS pixels, somebody reads what is further down. */
const scrolled = 40;

/** Whether somebody points at the rows, is in them with the keyboard, or has scrolled down. */
export function useHeld() {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isScrolled, setScrolled] = useState(() => window.scrollY > scrolled);
  useEffect(() => {
    const note = () => setScrolled(window.scrollY > scrolled);
    window.addEventListener("scroll", note, { passive: true });
    return () => window.removeEventListener("scroll", note);
  }, []);
  return {
    isHeld: isPointed || isFocused || isScrolled,
    enter: (event: PointerEvent) => setPointed(event.pointerType === "mouse"),
    leave: () => setPointed(false),
    focus: () => setFocused(true),
    blur: ({ currentTarget, relatedTarget }: FocusEvent) => setFocused(currentTarget.contains(relatedTarget)),
  };
}
