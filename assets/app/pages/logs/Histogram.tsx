import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ZoomOut } from "lucide-react";
import { useState } from "react";
import type { Histogram as Answer } from "../../api/schema.d.ts";
import { counted, exact } from "../../ui/format.ts";
import { levelWords, partsOf, timesOf } from "./bars.ts";
import classes from "./Histogram.module.css";
import { histogramQuery } from "./queries.ts";
import { type Bounds, type Filters, spanWords } from "./range.ts";
import { useZoom } from "./use-zoom.ts";

/** Units of the SVG: its height, and the width of a bar with its gap. */
const height = 100;
const step = 6;

interface Props {
  project: number;
  filters: Filters;
  zoom: (bounds: Bounds) => void;
  /** Back to more than is shown; missing where the range is one up to now. */
  zoomOut: (() => void) | undefined;
}

/** Entries over time by level. When it cannot be loaded, the list below shows why. */
export function Histogram({ project, filters, zoom, zoomOut }: Props) {
  const { data, isPlaceholderData } = useQuery(histogramQuery(project, filters));
  return (
    <div className={classes.histogram} data-old={isPlaceholderData || undefined}>
      {data && <Chart key={data.start_time + data.end_time} data={data} zoom={zoom} zoomOut={zoomOut} />}
      {data && <AsTable data={data} />}
    </div>
  );
}

function Chart({ data, zoom, zoomOut }: Pick<Props, "zoom" | "zoomOut"> & { data: Answer }) {
  const { buckets, interval } = data;
  const bounds = { start: Date.parse(data.start_time), end: Date.parse(data.end_time) };
  const { chosen, handlers } = useZoom(buckets.length, (from, to) => {
    const times = timesOf(buckets, interval, bounds, from, to);
    if (times) zoom(times);
  });
  const times = chosen && timesOf(buckets, interval, bounds, chosen.from, chosen.to);
  const first = chosen && Math.min(chosen.from, chosen.to);
  const last = chosen && Math.max(chosen.from, chosen.to);
  const sum = buckets
    .slice(first ?? 0, (last ?? buckets.length) + 1)
    .reduce((total, bucket) => total + bucket.total, 0);
  const one = chosen && chosen.from === chosen.to ? buckets[chosen.from] : undefined;
  const words = `${counted(sum, "entry", "entries")}${one && one.total > 0 ? ` (${levelWords(one)})` : ""}`;
  const most = Math.max(0, ...buckets.map(({ total }) => total));
  const reading = times ? `${spanWords(times)}: ${words}` : spanWords(bounds);
  return (
    <>
      <p className={classes.said}>
        <span className="number">{times ? reading : ""}</span>
        {most > 0 && <span className={`${classes.peak} number`}>peak {exact(most)}</span>}
        {zoomOut && (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<ZoomOut size="0.875rem" aria-hidden />}
            onClick={zoomOut}
          >
            Zoom out
          </Button>
        )}
      </p>
      <div
        className={classes.plot}
        role="slider"
        tabIndex={0}
        aria-label="Entries over time: arrow keys move, Shift with arrow keys selects, Enter zooms in"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, buckets.length - 1)}
        aria-valuenow={chosen?.to ?? Math.max(0, buckets.length - 1)}
        aria-valuetext={reading}
        {...handlers}
      >
        <Bars data={data} first={first} last={last} />
      </div>
      <Axis bounds={bounds} />
    </>
  );
}

/** Stays as it is, and keeps the focus, when the chart shows another range. */
function AsTable({ data }: { data: Answer }) {
  const [isTable, setTable] = useState(false);
  return (
    <>
      <button type="button" className="unseen" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
        Entries over time as a table
      </button>
      {isTable && <Table data={data} />}
    </>
  );
}

function Bars({
  data: { buckets },
  first,
  last,
}: {
  data: Answer;
  first: number | undefined;
  last: number | undefined;
}) {
  const most = Math.max(1, ...buckets.map(({ total }) => total));
  const gap = buckets.length > 90 ? 1 : 1.5;
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${Math.max(1, buckets.length) * step} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {first !== undefined && last !== undefined && (
        <rect className={classes.chosen} x={first * step} y={0} width={(last - first + 1) * step} height={height} />
      )}
      {buckets.map((bucket, at) =>
        partsOf(bucket, most, height).map((part) => (
          <rect
            key={`${at} ${part.level}`}
            data-level={part.level}
            x={at * step + gap / 2}
            y={part.y}
            width={step - gap}
            height={part.height}
          />
        )),
      )}
    </svg>
  );
}

function Axis({ bounds: { start, end } }: { bounds: Bounds }) {
  const middle = start + (end - start) / 2;
  return (
    <p className={classes.axis} aria-hidden>
      {[start, middle, end].map((time, at) => (
        <span key={at}>{spanWords({ start: time, end: time }, end - start)}</span>
      ))}
    </p>
  );
}

/** The same numbers for screen readers. */
function Table({ data: { buckets, interval } }: { data: Answer }) {
  return (
    <table className="unseen">
      <caption>Entries over time</caption>
      <thead>
        <tr>
          <th>Time</th>
          <th>Entries</th>
          <th>By level</th>
        </tr>
      </thead>
      <tbody>
        {buckets.map((bucket) => (
          <tr key={bucket.time}>
            <td>{spanWords({ start: Date.parse(bucket.time), end: Date.parse(bucket.time) + interval * 1000 })}</td>
            <td>{exact(bucket.total)}</td>
            <td>{levelWords(bucket)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
