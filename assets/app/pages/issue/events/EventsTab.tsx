import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Link } from "@tanstack/react-router";
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { isStatus } from "../../../api/error.ts";
import type { Events, EventSummary } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { counted } from "../../../ui/format.ts";
import { Answer } from "../../../ui/States.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import { eventsQuery, newestQuery, type Place } from "../queries.ts";
import { pause } from "../use-numbers.ts";
import { userName } from "../user-name.ts";
import classes from "./Events.module.css";
import { FacetBar, FilterNotUnderstood, NoneWithValue } from "./FacetBar.tsx";
import { NoEvents } from "./NoEvents.tsx";

/** The height of a row in pixels, for the virtual list; on a phone it has two lines. */
const rowHeights = { wide: 36, narrow: 56 };
const narrow = "(max-width: 48em)";

interface Props {
  place: Place;
  /** The event that the other tab shows. */
  shown: string | undefined;
  /** Only events with this value are listed. */
  facet: string | undefined;
}

/** All events of the issue, or those with a value, the newest first. */
export function EventsTab(props: Props) {
  const { place, facet } = props;
  const query = useInfiniteQuery(eventsQuery(place, facet));
  const isRefused = facet !== undefined && query.data === undefined && isStatus(query.error, 422);
  const total = query.data?.pages.at(-1)?.total;
  return (
    <section aria-labelledby="events-title">
      <h2 id="events-title" className="unseen">
        Events
      </h2>
      {facet !== undefined && <FacetBar place={place} facet={facet} found={total} isRefused={isRefused} />}
      {isRefused ? (
        <FilterNotUnderstood place={place} facet={facet} />
      ) : (
        <Answer query={query} what="The events">
          {({ pages }) => <Found {...props} query={query} pages={pages} />}
        </Answer>
      )}
    </section>
  );
}

interface FoundProps extends Props {
  query: Omit<UseInfiniteQueryResult, "data">;
  pages: Events[];
}

function Found({ place, shown, facet, query, pages }: FoundProps) {
  const box = useRef<HTMLDivElement>(null);
  const { late, show } = useLate(place, facet, query, box);
  const isNarrow = useMediaQuery(narrow, matchMedia(narrow).matches, { getInitialValueInEffect: false });
  const events = pages.flatMap((page) => page.events);
  const total = pages[0]?.total ?? 0;
  // An empty page has examined many events; further ones are examined only on request.
  const isSearching = query.hasNextPage && pages.at(-1)?.events.length === 0;
  const next = query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined;
  if (facet !== undefined && (total === 0 || (events.length === 0 && !query.hasNextPage)))
    return <NoneWithValue place={place} />;
  if (facet === undefined && events.length === 0) return <NoEvents />;
  return (
    <>
      <Table
        box={box}
        events={events}
        total={total}
        late={late}
        show={show}
        shown={shown}
        more={isSearching ? undefined : next}
        rowHeight={isNarrow ? rowHeights.narrow : rowHeights.wide}
      />
      {facet === undefined && !query.hasNextPage && events.length < total && (
        <p className="muted">Older events were removed by retention.</p>
      )}
      {isSearching && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={next}>
          Search older events
        </Button>
      )}
    </>
  );
}

/**
 * The number of events that arrived since the list was loaded. They are added automatically while nobody has scrolled
 * down or points at a row. For a filtered list it is unknown how many of them match.
 */
function useLate(
  place: Place,
  facet: string | undefined,
  query: Pick<ReturnType<typeof useInfiniteQuery>, "isFetching" | "dataUpdatedAt">,
  box: RefObject<HTMLDivElement | null>,
) {
  const cache = useQueryClient();
  const { queryKey } = eventsQuery(place, facet);
  const newest = useQuery(newestQuery(place)).data;
  const pages = cache.getQueryData(queryKey)?.pages;
  const newestId = newest?.event?.id;
  // The newest event when the list was loaded.
  const [seen, setSeen] = useState({ at: query.dataUpdatedAt, id: newestId });
  if (seen.at !== query.dataUpdatedAt || (seen.id === undefined && newestId !== undefined))
    setSeen({ at: query.dataUpdatedAt, id: newestId });
  const isKnown =
    facet === undefined ? pages?.[0]?.events.some(({ id }) => id === newestId) === true : seen.id === newestId;
  const isLate = newestId !== undefined && pages !== undefined && !query.isFetching && !isKnown;
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
    if (!box.current?.matches(":hover, :focus-within") && (box.current?.scrollTop ?? 0) === 0)
      void cache.invalidateQueries({ queryKey });
  });
  useEffect(() => {
    if (!isLate || !isShort) return;
    const timer = setTimeout(refreshUnread, query.dataUpdatedAt + pause - Date.now());
    return () => clearTimeout(timer);
  }, [isLate, isShort, query.dataUpdatedAt]);
  const more = (newest?.total ?? 0) - (pages?.[0]?.total ?? 0);
  return { late: isLate && facet === undefined ? Math.max(1, more) : 0, show };
}

interface TableProps {
  box: RefObject<HTMLDivElement | null>;
  events: EventSummary[];
  total: number;
  /** Events that arrived since. */
  late: number;
  show: () => void;
  shown: string | undefined;
  /** Loads the next rows, if there are any. */
  more: (() => void) | undefined;
  rowHeight: number;
}

const columns = ["Time", "User", "Release", "Environment", "URL"];

function Table({ box, events, total, late, show, shown, more, rowHeight }: TableProps) {
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const heightBefore = useRef(rowHeight);
  const keepRow = useEffectEvent(() => {
    const first = rows.range?.startIndex ?? 0;
    rows.measure();
    rows.scrollToIndex(first, { align: "start" });
  });
  useLayoutEffect(() => {
    if (heightBefore.current === rowHeight) return;
    heightBefore.current = rowHeight;
    keepRow();
  }, [rowHeight]);
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= events.length - 20) more?.();
  }, [last, events.length, more]);
  return (
    <div ref={box} className={classes.box} tabIndex={0} role="group" aria-label="Events, scrollable">
      {late > 0 && (
        <div className={classes.late}>
          <Button
            size="compact-xs"
            onClick={() => {
              box.current?.focus();
              show();
            }}
          >
            Show {counted(late, "newer event")}
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
                <Row
                  key={event.id}
                  event={event}
                  index={index}
                  start={start}
                  height={rowHeight}
                  isShown={event.event_id === shown}
                />
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
  height,
  isShown,
}: {
  event: EventSummary;
  index: number;
  start: number;
  height: number;
  isShown: boolean;
}) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      data-shown={isShown || undefined}
      style={{ position: "absolute", insetBlockStart: start, insetInline: 0, blockSize: height }}
    >
      <span role="cell">
        <Link
          to={paths.issue(event.project_id, event.issue_id)}
          search={(before) => ({ ...before, event: event.event_id })}
          className={classes.link}
          aria-current={isShown || undefined}
        >
          <Time at={event.timestamp} exact />
        </Link>
      </span>
      {[userName(event.user) ?? "–", event.release ?? "", event.environment, event.url ?? ""].map((text, at) => (
        <span role="cell" key={columns[at + 1]} className={classes.cell} data-none={text === "–" || undefined}>
          <Line text={text} />
        </span>
      ))}
    </div>
  );
}
