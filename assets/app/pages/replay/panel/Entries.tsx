import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { timecode } from "../player/timecode.ts";
import classes from "./Panel.module.css";

/** Of a row, in root ems, as the style sheet has it. */
const height = 1.75;

interface Props<T> {
  entries: readonly T[];
  at: number;
  seek: (at: number) => void;
  /** The text of an empty list. */
  none: string;
  children: (entry: T) => ReactNode;
}

/**
 * Entries in order of time: the one that the player is at is marked and in sight. A press seeks, and so does moving along
 * the list with the arrows.
 */
export function Entries<T extends { at: number }>({ entries, at, seek, none, children }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => height * rem,
    overscan: 8,
  });
  const current = entries.findLastIndex((entry) => entry.at <= at);
  const isHeld = useRef(false);
  useEffect(() => {
    // Does not scroll while somebody reads the list.
    if (current >= 0 && !isHeld.current) rows.scrollToIndex(current, { align: "auto" });
  }, [current, rows]);
  if (entries.length === 0) return <p className="muted">{none}</p>;
  const hold = (is: boolean) => () => {
    isHeld.current = is;
  };
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const by = steps[event.key];
    const from = Number(
      (event.target as HTMLElement).closest("[data-index]")?.getAttribute("data-index") ?? Number.NaN,
    );
    const next = entries[from + (by ?? 0)];
    if (by === undefined || !next) return;
    event.preventDefault();
    rows.scrollToIndex(from + by, { align: "auto" });
    seek(next.at);
    box.current?.querySelector<HTMLElement>(`[data-index="${from + by}"] button`)?.focus({ preventScroll: true });
  };
  return (
    <div
      ref={box}
      className={classes.box}
      tabIndex={-1}
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onKeyDown={move}
    >
      <ol className={classes.entries} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index];
          return (
            entry && (
              <li
                key={index}
                data-index={index}
                className={classes.entry}
                style={{ transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  data-later={entry.at > at || undefined}
                  aria-current={index === current || undefined}
                  onClick={() => seek(entry.at)}
                >
                  <span className={classes.at}>{timecode(entry.at)}</span>
                  {children(entry)}
                </button>
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
