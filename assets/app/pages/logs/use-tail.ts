import { useQuery } from "@tanstack/react-query";
import { type FocusEvent, type PointerEvent, useCallback, useEffect, useEffectEvent, useState } from "react";
import type { LogEntry } from "../../api/schema.d.ts";
import { lastEntriesQuery, searchable } from "./queries.ts";
import type { Filters } from "./range.ts";
import { type Arrived, type Tail, arrive, begun, caughtUp, empty, released } from "./tail.ts";
import { type CatchUp, useCatchUp } from "./use-catch-up.ts";
import { type Connection, useTailStream } from "./use-tail-stream.ts";

interface Source {
  project: number;
  /** The filters, without times. */
  filters: Filters;
  /** Of the stream. */
  address: string;
}

/** The last entries, and those that arrived since; while paused, the rows stay in place. */
export function useTail(
  source: Source,
  isHeld: boolean,
): { tail: Tail; connection: Connection; letIn: () => void } & CatchUp {
  const { project, filters, address } = source;
  const [{ tail, of }, setTail] = useState({ tail: empty, of: address });
  if (of !== address) setTail({ tail: empty, of: address });
  const change = useCallback(
    (act: (tail: Tail) => Tail) => setTail((now) => (now.of === address ? { ...now, tail: act(now.tail) } : now)),
    [address],
  );
  const connection = useTailStream(address, (messages: Arrived[]) => change((now) => arrive(now, messages, isHeld)));
  // Loaded when the stream is open, and once more when the index includes what arrived right before, so that no entry
  // is missed.
  const { data: last } = useQuery({
    ...lastEntriesQuery(project, filters, address),
    enabled: connection === "open",
    refetchInterval: ({ state }) => (state.dataUpdateCount < 2 ? searchable : false),
  });
  const begin = useEffectEvent((found: LogEntry[]) => change((now) => begun(now, found, isHeld)));
  useEffect(() => {
    if (last) begin(last);
  }, [last]);
  const missed = useCatchUp(source, { tail, connection }, (after, found) =>
    change((now) => caughtUp(now, after, found, isHeld)),
  );
  const letIn = useCallback(() => change(released), [change]);
  useEffect(() => {
    if (!isHeld) letIn();
  }, [isHeld, letIn]);
  return { tail, connection, letIn, ...missed };
}

/** Scrolled down further than this, in CSS pixels, somebody is reading. */
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
