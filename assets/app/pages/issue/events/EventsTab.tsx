import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Link } from "@tanstack/react-router";
import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import type { EventSummary } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { counted } from "../../../ui/format.ts";
import { Answer } from "../../../ui/States.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import { eventsQuery, newestQuery, type Place } from "../queries.ts";
import { pause } from "../use-numbers.ts";
import classes from "./Events.module.css";
import { rowsOf } from "./rows.ts";

/** Of a row, in pixels: the virtual list has to know it. */
const rowHeight = 36;

/** All events of the issue, the newest first. */
export function EventsTab({ place, shown }: { place: Place; shown: string | undefined }) {
  const query = useInfiniteQuery(eventsQuery(place));
  const box = useRef<HTMLDivElement>(null);
  const { late, show } = useLate(place, query, box);
  return (
    <section aria-labelledby="events-title">
      <h2 id="events-title" className="unseen">
        Events
      </h2>
      <Answer query={query} what="The events">
        {({ pages }) => (
          <Table
            box={box}
            events={rowsOf(pages)}
            total={pages.at(-1)?.total ?? 0}
            late={late}
            show={show}
            shown={shown}
            more={query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined}
          />
        )}
      </Answer>
    </section>
  );
}

/**
 * How many events came since the list was asked for. They are shown by themselves while nobody reads
 * further down or points at a row.
 */
function useLate(
  place: Place,
  query: Pick<ReturnType<typeof useInfiniteQuery>, "isFetching" | "dataUpdatedAt">,
  box: RefObject<HTMLDivElement | null>,
) {
  const cache = useQueryClient();
  const { queryKey } = eventsQuery(place);
  const newest = useQuery(newestQuery(place)).data;
  const pages = cache.getQueryData(queryKey)?.pages;
  const isLate =
    newest?.event != null &&
    pages !== undefined &&
    !query.isFetching &&
    !pages[0]?.events.some(({ id }) => id === newest.event?.id);
  const show = () => {
    box.current?.scrollTo({ top: 0 });
    cache.setQueryData(
      queryKey,
      (all) => all && { pages: all.pages.slice(0, 1), pageParams: all.pageParams.slice(0, 1) },
    );
    void cache.invalidateQueries({ queryKey });
  };
  const isShort = pages?.length === 1;
  const refreshUnread = useEffectEvent(() => {
    if (!box.current?.matches(":hover, :focus-within") && box.current?.scrollTop === 0)
      void cache.invalidateQueries({ queryKey });
  });
  useEffect(() => {
    if (!isLate || !isShort) return;
    const timer = setTimeout(refreshUnread, query.dataUpdatedAt + pause - Date.now());
    return () => clearTimeout(timer);
  }, [isLate, isShort, query.dataUpdatedAt]);
  return { late: isLate ? Math.max(1, newest.total - (pages[0]?.total ?? 0)) : 0, show };
}

interface TableProps {
  box: RefObject<HTMLDivElement | null>;
  events: EventSummary[];
  total: number;
  /** Events that came since. */
  late: number;
  show: () => void;
  shown: string | undefined;
  /** Asks for the next rows, when there are any. */
  more: (() => void) | undefined;
}

const columns = ["Time", "Event", "User", "Release", "Environment", "URL"];

function Table({ box, events, total, late, show, shown, more }: TableProps) {
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= events.length - 20) more?.();
  }, [last, events.length, more]);
  return (
    <div ref={box} className={classes.box} tabIndex={0} role="group" aria-label="Events, scrolls">
      {late > 0 && (
        <div className={classes.late}>
          <Button
            size="compact-xs"
            onClick={() => {
              box.current?.focus();
              show();
            }}
          >
            {counted(late, "newer event")} – show
          </Button>
        </div>
      )}
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
            return (
              event && (
                <Row key={event.id} event={event} index={index} start={start} isShown={event.event_id === shown} />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Row({
  event,
  index,
  start,
  isShown,
}: {
  event: EventSummary;
  index: number;
  start: number;
  isShown: boolean;
}) {
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
