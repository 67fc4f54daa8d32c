import { type RefObject, useCallback, useEffect, useEffectEvent, useRef } from "react";
import type { Issue } from "../../api/schema.d.ts";
import { useLatest } from "../../hooks/use-latest.ts";
import type { IssueSearch } from "../../issue-search/address.ts";
import { isLimited } from "../../navigation/limits.ts";
import { peakOf } from "../../ui/bars.ts";
import { useWindowRows } from "../../ui/use-window-rows.ts";
import { countsOf } from "./counts.ts";
import { keepFocus } from "./focus.ts";
import { Head } from "./Head.tsx";
import classes from "./List.module.css";
import { Row } from "./Row.tsx";
import type { Range } from "./use-issue-rows.ts";

/** Higher pages are cut off by browsers (Firefox: 17.9 million pixels). */
const rowsMost = 200_000;
/** Heights of a row in root ems, as the style sheet has them. */
const heights = { wide: 3.25, narrow: 4.75 };

interface Props {
  order: readonly (number | undefined)[];
  byId: Map<number, Issue>;
  old: boolean;
  chosen: ReadonlySet<number>;
  choose: (id: number, chosen: boolean, range: boolean) => void;
  chooseAll: (chosen: boolean) => void;
  /** The row that the keyboard is at. */
  cursor: number | undefined;
  /** Its issue. */
  current: number | undefined;
  /** The address of the list, which an issue's page leads back to. */
  search: IssueSearch;
  setRange: (range: Range) => void;
  setPointed: (pointed: boolean) => void;
}

/** The rows in sight of a list that may be long. */
export function List(props: Props) {
  const { order, byId, old, chosen, cursor, search } = props;
  const body = useRef<HTMLDivElement>(null);
  const rows = useVisibleRows(Math.min(order.length, rowsMost), body, search, props.setRange);
  useScrollToCursor(props.current, cursor, rows);
  useKeptFocus(old, body);
  const latestChoose = useLatest(props.choose);
  const choose = useCallback<Props["choose"]>((...what) => latestChoose.current(...what), [latestChoose]);
  const loaded = order.filter((id) => id !== undefined && byId.has(id)).length;
  const peak = peakOf([...byId.values()].map((issue) => peakOf(countsOf(issue).trend)));
  return (
    <div
      role="table"
      aria-label="Issues"
      aria-rowcount={order.length + 1}
      aria-busy={old || undefined}
      className={`${old ? classes.old : ""} ${isLimited(search) ? classes.limited : ""}`}
      onPointerEnter={(event) => props.setPointed(event.pointerType === "mouse")}
      onPointerLeave={() => props.setPointed(false)}
    >
      <Head chosen={chosen.size} loaded={loaded} chooseAll={props.chooseAll} limits={search} />
      <div role="rowgroup" ref={body} className={classes.body} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((item) => {
          const id = order[item.index];
          return (
            <Row
              key={id ?? `empty-${item.index}`}
              issue={id === undefined ? undefined : byId.get(id)}
              place={item.index}
              offset={item.start - rows.options.scrollMargin}
              chosen={id !== undefined && chosen.has(id)}
              atCursor={item.index === cursor}
              peak={peak}
              search={search}
              choose={choose}
            />
          );
        })}
      </div>
    </div>
  );
}

function useVisibleRows(
  count: number,
  body: RefObject<HTMLDivElement | null>,
  content: IssueSearch,
  setRange: (range: Range) => void,
) {
  const rows = useWindowRows({ count, body, heights, narrow: "(max-width: 40em)", content });
  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => setRange({ first, last }), [first, last, setRange]);
  return rows;
}

/** The focus stays in the list when the old row that has it makes room for another. */
function useKeptFocus(old: boolean, body: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    if (!old) return;
    const isWithin = (target: EventTarget | null) => target instanceof Node && body.current?.contains(target) === true;
    let within = isWithin(document.activeElement);
    const note = ({ target }: FocusEvent) => {
      within = isWithin(target);
    };
    document.addEventListener("focusin", note);
    return () => {
      document.removeEventListener("focusin", note);
      if (within) requestAnimationFrame(keepFocus);
    };
  }, [old, body]);
}

/** Focuses the issue at the cursor and scrolls to it, also if it has replaced another. */
function useScrollToCursor(
  current: number | undefined,
  cursor: number | undefined,
  rows: ReturnType<typeof useVisibleRows>,
): void {
  const scroll = useEffectEvent(() => {
    if (cursor !== undefined) rows.scrollToIndex(cursor, { align: "auto" });
    return cursor !== undefined;
  });
  useEffect(() => {
    if (current === undefined || !scroll()) return;
    // The row may have to be drawn first.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-issue="${current}"] a`)?.focus({ preventScroll: true }),
    );
  }, [current]);
}
