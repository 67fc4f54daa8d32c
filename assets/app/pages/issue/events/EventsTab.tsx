import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { EventSummary } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { Answer } from "../../../ui/states.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import { eventsQuery, type Place } from "../queries.ts";
import classes from "./Events.module.css";

/** Of a row, in pixels: the virtual list has to know it. */
const rowHeight = 36;

/** All events of the issue, the newest first. */
export function EventsTab({ place, shown }: { place: Place; shown: string | undefined }) {
  const query = useInfiniteQuery(eventsQuery(place));
  return (
    <section aria-labelledby="events-title">
      <h2 id="events-title" className="unseen">
        Events
      </h2>
      <Answer query={query} what="The events">
        {({ pages }) => (
          <Table
            events={pages.flatMap((page) => page.events)}
            total={pages.at(-1)?.total ?? 0}
            shown={shown}
            more={query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined}
          />
        )}
      </Answer>
    </section>
  );
}

interface TableProps {
  events: EventSummary[];
  total: number;
  shown: string | undefined;
  /** Asks for the next rows, when there are any. */
  more: (() => void) | undefined;
}

const columns = ["Time", "Event", "User", "Release", "Environment", "URL"];

function Table({ events, total, shown, more }: TableProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: events.length, getScrollElement: () => box.current, estimateSize: () => rowHeight, overscan: 10 });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= events.length - 20) more?.();
  }, [last, events.length, more]);
  return (
    <div ref={box} className={classes.box} tabIndex={0} role="group" aria-label="Events, scrolls">
      <div role="table" aria-label="Events of this issue" aria-rowcount={total + 1} className={classes.table}>
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={1} className={classes.row}>
            {columns.map((column) => (
              <span role="columnheader" key={column}>
                {column}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes.body} style={{ blockSize: rows.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const event = events[index];
            return event && <Row key={event.id} event={event} index={index} start={start} isShown={event.event_id === shown} />;
          })}
        </div>
      </div>
    </div>
  );
}

function Row({ event, index, start, isShown }: { event: EventSummary; index: number; start: number; isShown: boolean }) {
  const { user } = event;
  const who = user?.email ?? user?.username ?? user?.name ?? user?.id ?? user?.ip_address ?? "";
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      data-shown={isShown || undefined}
      style={{ position: "absolute", insetBlockStart: start, insetInline: 0, blockSize: rowHeight }}
    >
      <span role="cell">
        <Time at={event.timestamp} exact />
      </span>
      <span role="cell">
        <Link
          to={paths.issue(event.project_id, event.issue_id)}
          search={{ event: event.event_id }}
          className={classes.link}
          aria-current={isShown || undefined}
        >
          <Line text={event.event_id} mono />
        </Link>
      </span>
      {[who, event.release ?? "", event.environment, event.url ?? ""].map((text, at) => (
        <span role="cell" key={columns[at + 2]} className={classes.cell}>
          <Line text={text} />
        </span>
      ))}
    </div>
  );
}
