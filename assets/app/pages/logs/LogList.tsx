import { memo, useEffect, useRef } from "react";
import type { LogEntry } from "../../api/schema.d.ts";
import { Level } from "../../ui/Level.tsx";
import { Line } from "../../ui/Text.tsx";
import { useRows } from "../lists/use-rows.ts";
import { Head } from "./Head.tsx";
import classes from "./List.module.css";
import { LogTime } from "./LogTime.tsx";
import { Message } from "./Message.tsx";
import { useLogKeys } from "./use-log-keys.ts";

/** In root ems, as the style sheet has them. */
const heights = { wide: 1.75, narrow: 3 };

interface Props {
  entries: LogEntry[];
  /** Of all matching entries, including those that are not loaded. */
  total: number;
  /** Whether it shows the results of the previous search. */
  old?: boolean;
  /** The entry whose details are shown. */
  chosen: number | undefined;
  choose: (id: number) => void;
  /** The entry that the list is about; it is scrolled into sight. */
  about?: number;
  /** Called when the end scrolls into sight. */
  more: () => void;
}

/** A virtual list of entries, newest first. */
export function LogList({ entries, total, old = false, chosen, about, choose, more }: Props) {
  const body = useRef<HTMLDivElement>(null);
  const rows = useRows({ count: entries.length, body, heights, more });
  useLogKeys({ count: entries.length, body, scrollTo: (row) => rows.scrollToIndex(row, { align: "auto" }) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each entry
  useEffect(() => {
    const row = entries.findIndex(({ id }) => id === about);
    if (about !== undefined && row >= 0) rows.scrollToIndex(row, { align: "center" });
  }, [about]);
  return (
    <div role="table" aria-label="Log entries" aria-rowcount={total + 1} className={old ? classes.old : undefined}>
      <Head />
      <div role="rowgroup" ref={body} className={classes.body} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index];
          return (
            entry && (
              <Row
                key={entry.id}
                entry={entry}
                place={index}
                offset={start - rows.options.scrollMargin}
                chosen={entry.id === chosen}
                isAbout={entry.id === about}
                choose={choose}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  entry: LogEntry;
  place: number;
  offset: number;
  chosen: boolean;
  isAbout: boolean;
  choose: (id: number) => void;
}

const Row = memo(function Row({ entry, place, offset, chosen, isAbout, choose }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      data-index={place}
      data-entry={entry.id}
      data-chosen={chosen || undefined}
      aria-current={isAbout || undefined}
      className={classes.row}
      style={{ transform: `translateY(${offset}px)` }}
    >
      <span role="cell" className={classes.time}>
        <LogTime at={entry.timestamp} />
      </span>
      <span role="cell" className={classes.level}>
        <Level level={entry.level} />
      </span>
      <span role="cell" className={classes.message}>
        <button type="button" className={classes.open} aria-expanded={chosen} onClick={() => choose(entry.id)}>
          <Message message={entry.message} highlights={entry.highlights} />
        </button>
      </span>
      <span role="cell" className={classes.logger}>
        {entry.logger_name && <Line text={entry.logger_name} />}
      </span>
    </div>
  );
});
