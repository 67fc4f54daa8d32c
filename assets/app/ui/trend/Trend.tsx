import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { keptWithin } from "../../api/placeholder.ts";
import { deploysQuery } from "../../api/release-queries.ts";
import type { Deploy, Trend as Hours } from "../../api/schema.d.ts";
import { Time } from "../Time.tsx";
import { bars, type Span, spanOf, spans } from "./bars.ts";
import { Chart } from "./Chart.tsx";
import { DeployList } from "./DeployList.tsx";
import { marksOf, type Turn, type TurnMark, turnsOf } from "./marks.ts";
import classes from "./Trend.module.css";

interface Props {
  project: number;
  /** The query's key, without the number of hours. */
  queryKey: readonly unknown[];
  ask: (hours: number, signal: AbortSignal) => Promise<Hours>;
  /** Selects the project's deploys to mark. */
  marks: (deploy: Deploy) => boolean;
  /** Further marks. */
  turns?: readonly Turn[];
  /**
   * Whether to reserve a line for the deploys, so that nothing moves when they are loaded, and to say if there are
   * none.
   */
  saysNone?: boolean;
  /** The period at first, and when it becomes another. */
  first?: Span;
  /** What the addresses of releases take along. */
  along?: Record<string, string>;
  /** Puts the choice of the period beside a title, and the chart below it. */
  frame: (tools: ReactNode, chart: ReactNode) => ReactNode;
}

const noTurns: readonly Turn[] = [];
const nothing: Record<string, string> = {};
/** How many turns are listed; the others are only on the chart. */
const named = 3;

/** Events per hour or day in the selected period, with the deploys of that time. */
export function Trend(props: Props) {
  const {
    project,
    queryKey,
    ask,
    marks: isMarked,
    turns = noTurns,
    first = "24h",
    saysNone = false,
    along = nothing,
    frame,
  } = props;
  const [{ instead, span }, choose] = useState({ instead: first, span: first });
  if (instead !== first) choose({ instead: first, span: first });
  const { hours } = spans[span];
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKey, "trend", hours],
    queryFn: ({ signal }) => ask(hours, signal),
    placeholderData: keptWithin(queryKey),
  });
  // A chart without marks is better than none.
  const { data: deploys } = useQuery(deploysQuery(project, hours));
  // Until the answer is there, what is drawn is the period before.
  const { by, words } = spans[(data && spanOf(data.counts)) ?? span];
  const drawn = useMemo(() => (data ? bars(Date.parse(data.start), data.counts, by) : []), [data, by]);
  const marked = useMemo(() => marksOf((deploys ?? []).filter(isMarked), drawn), [deploys, drawn, isMarked]);
  const turned = useMemo(() => turnsOf(turns, drawn), [turns, drawn]);
  const tools = (
    <SegmentedControl
      size="xs"
      data={Object.keys(spans)}
      value={span}
      onChange={(next) => choose({ instead: first, span: next as Span })}
      aria-label="Period"
    />
  );
  const chart =
    error && !data ? (
      <p className={classes.said}>
        The trend could not be loaded.{" "}
        <button type="button" onClick={() => void refetch()}>
          Try again
        </button>
      </p>
    ) : (
      <>
        <Chart bars={drawn} by={by} words={words} marks={marked} turns={turned} key={words} />
        <TurnList marks={turned} />
        <DeployList
          project={project}
          marks={marked}
          along={along}
          none={saysNone ? (deploys ? "No deploys" : "") : undefined}
        />
      </>
    );
  return frame(tools, chart);
}

/** The last turns on a chart as text, which explains the chart's solid lines. */
function TurnList({ marks }: { marks: TurnMark[] }) {
  if (marks.length === 0) return null;
  return (
    <ul className={classes.deploys} aria-label="Marks">
      {marks
        .slice(-named)
        .reverse()
        .map(({ turn: { words, time } }) => (
          <li key={time}>
            <span className={classes.turned} aria-hidden />
            <span>{words}</span>
            <Time at={new Date(time).toISOString()} />
          </li>
        ))}
    </ul>
  );
}
