import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReplayDetails } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { counted, exact } from "../../../ui/format.ts";
import { Level } from "../../../ui/Level.tsx";
import { Failed } from "../../../ui/States.tsx";
import { Message } from "../../logs/Message.tsx";
import { lagOf, spanOf } from "../data/clock.ts";
import { type ReplayLogs, searchOf, tracesAtOnce } from "../data/logs.ts";
import { type Summary, tracesMost } from "../data/summary.ts";
import { Entries } from "./Entries.tsx";
import classes from "./Panel.module.css";

interface Props {
  project: number;
  replay: ReplayDetails;
  summary: Summary;
  logs: UseQueryResult<ReplayLogs>;
  at: number;
  seek: (at: number) => void;
}

/** The log entries during the recording, of the page and of the servers that it called. */
export function Logs({ project, replay, summary, logs, at, seek }: Props) {
  const { data, error, isLoading, isFetching, refetch } = logs;
  if (error && !data) return <Failed error={error} what="The logs" retry={() => void refetch()} busy={isFetching} />;
  if (isLoading) return <p className="muted">Loading the logs…</p>;
  const lines = data?.lines ?? [];
  const missing = (data?.total ?? 0) - lines.length;
  const clock = { start: summary.start, lag: lagOf(replay) };
  const [from, to] = spanOf(clock, Math.max(summary.duration, replay.duration_ms));
  const address = paths.logs(project, {
    query: searchOf(summary.traces.slice(0, tracesAtOnce)),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  });
  return (
    <>
      <Entries at={at} seek={seek} entries={lines} none={none(summary)}>
        {({ entry }) => (
          <>
            <Level level={entry.level} quiet />
            <span className={classes.message}>
              <Message message={entry.message} highlights={[]} />
            </span>
          </>
        )}
      </Entries>
      {lines.length > 0 && (
        <p className={classes.foot}>
          <span className="muted">
            {missing > 0 && `${counted(missing, "more entry", "more entries")} not shown. `}
            {summary.hasMoreTraces && `Entries of what came after ${exact(tracesMost)} traces are not shown. `}
          </span>
          <Link to={address}>
            {summary.traces.length > tracesAtOnce
              ? `Open the first ${tracesAtOnce} traces in the log explorer`
              : "Open in the log explorer"}
          </Link>
        </p>
      )}
    </>
  );
}

function none({ traces, hasMoreTraces }: Summary): string {
  if (traces.length === 0) return "The recording names no trace, so no log entries are known to belong to it.";
  const which = hasMoreTraces ? `first ${exact(tracesMost)} traces` : "traces";
  return `Nothing was logged under the ${which} of this recording.`;
}
