import { useEffect, useRef } from "react";
import type { LogEntry } from "../../api/schema.d.ts";
import { Level } from "../../ui/Level.tsx";
import classes from "./LogLines.module.css";
import { LogTime } from "./LogTime.tsx";
import { Message } from "./Message.tsx";

interface Props {
  /** In chronological order. */
  entries: LogEntry[];
  /** The one that it is about. */
  current: number;
  choose: (id: number) => void;
}

/** A short list of entries, scrolled to the current one. */
export function LogLines({ entries, current, choose }: Props) {
  const lines = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another current entry stands elsewhere
  useEffect(() => {
    const [list, line] = [lines.current, lines.current?.querySelector<HTMLElement>("[data-current]")];
    // The page itself stays where it is.
    if (list && line) list.scrollTop = line.offsetTop - (list.clientHeight - line.offsetHeight) / 2;
  }, [current]);
  return (
    <ol className={classes.lines} ref={lines}>
      {entries.map((entry) => (
        <li
          key={entry.id}
          className={classes.line}
          data-current={entry.id === current || undefined}
          aria-current={entry.id === current || undefined}
        >
          <Level level={entry.level} quiet />
          <span className={classes.time}>
            <LogTime at={entry.timestamp} />
          </span>
          <button type="button" className={classes.message} onClick={() => choose(entry.id)}>
            <Message message={entry.message} highlights={entry.highlights} />
          </button>
        </li>
      ))}
    </ol>
  );
}
