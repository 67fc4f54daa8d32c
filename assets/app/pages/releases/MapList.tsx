import { type RefObject, useRef } from "react";
import type { SourceMap } from "../../api/schema.d.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { bytes, exact } from "../../ui/format.ts";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { Figure } from "./Figure.tsx";
import classes from "./List.module.css";
import { Head } from "./MapHead.tsx";
import { useListKeys } from "./use-list-keys.ts";
import { useRows } from "./use-rows.ts";

/** In root ems, as the style sheet has them. */
const heights = { wide: 2.75, narrow: 4.25 };

interface Props {
  maps: SourceMap[];
  total: number;
  old: boolean;
  more: () => void;
  search: RefObject<HTMLInputElement | null>;
}

/** The rows in sight of the source maps that were loaded. */
export function MapList({ maps, total, old, more, search }: Props) {
  const body = useRef<HTMLDivElement>(null);
  const rows = useRows({ count: maps.length, body, heights, more });
  const scrollTo = (row: number) => rows.scrollToIndex(row, { align: "auto" });
  useListKeys({ name: "Source maps", count: maps.length, search, scrollTo, body });
  return (
    <div
      role="table"
      aria-label="Source maps"
      aria-rowcount={total + 1}
      className={`${classes.maps} ${old ? classes.old : ""}`}
    >
      <Head />
      <div role="rowgroup" ref={body} className={classes.body} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const map = maps[index];
          return map && <Row key={map.id} map={map} place={index} offset={start - rows.options.scrollMargin} />;
        })}
      </div>
    </div>
  );
}

function Row({ map, place, offset }: { map: SourceMap; place: number; offset: number }) {
  const hash = map.content_hash.replace(/^sha256:/, "");
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      data-index={place}
      className={classes.row}
      style={{ transform: `translateY(${offset}px)` }}
    >
      <span role="cell" className={classes.name}>
        <Line text={map.url} mono />
      </span>
      <span role="cell" className={`${classes.right} number`} title={`${exact(map.file_size)} bytes`}>
        {bytes(map.file_size)}
      </span>
      <span role="cell" className={classes.right}>
        <Figure of={map.use_count} one="event resolved with it" many="events resolved with it" label="uses" />
      </span>
      <span role="cell" className={`${classes.right} ${classes.used}`}>
        {map.last_used_at ? <Time at={map.last_used_at} /> : <span className={classes.zero}>never</span>}
      </span>
      <span role="cell" className={`${classes.right} ${classes.uploaded}`}>
        <Time at={map.created_at} />
      </span>
      <span role="cell" className={classes.hash}>
        <span className="mono" title={map.content_hash}>
          {hash.slice(0, 8)}
        </span>
        <CopyButton text={map.content_hash} label="Copy the content hash" />
      </span>
    </div>
  );
}
