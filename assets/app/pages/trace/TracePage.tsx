import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import type { EventSummary, LogEntry } from "../../api/schema.d.ts";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { counted, exact } from "../../ui/format.ts";
import { Empty, Failed, Loading } from "../../ui/States.tsx";
import { Time } from "../../ui/Time.tsx";
import { oneLine } from "../../ui/visible.ts";
import { anyTimeRange } from "../logs/address.ts";
import { traceErrorsQuery } from "../logs/queries.ts";
import { term } from "../logs/terms.ts";
import { startOf, wordOf } from "./moments.ts";
import { traceEntriesQuery } from "./queries.ts";
import { type Part, shownOf, type TraceParts } from "./shown.ts";
import { TraceTime } from "./TraceTime.tsx";
import classes from "./Trace.module.css";

/** The parts of a trace; an event may be no error. */
const partWords: Record<TraceParts["failed"][number], string> = { errors: "events", logs: "logs" };

const from = "/inside/projects/$projectId/traces/$traceId";

/** The events and the log entries of a trace: where one of the two cannot be loaded, the other is shown. */
export default function TracePage() {
  const { projectId: project, traceId: trace } = useParams({ from });
  const errors = useQuery(traceErrorsQuery(project, trace));
  const entries = useQuery(traceEntriesQuery(project, trace));
  const { failed, body } = shownOf({
    errors: partOf(errors, errors.data?.errors.length),
    logs: partOf(entries, entries.data?.logs.length),
  });
  const queries = { errors, logs: entries };
  return (
    <Page
      section="trace"
      title={`Trace ${oneLine(trace)}`}
      wide
      beside={<CopyButton text={trace} label="Copy trace ID" />}
    >
      {failed.map((part) => (
        <Failed
          key={part}
          error={queries[part].error}
          what={`The ${partWords[part]} of this trace`}
          retry={() => void queries[part].refetch()}
          busy={queries[part].isFetching}
        />
      ))}
      {body === "loading" && <Loading label="Loading the trace" />}
      {body === "empty" && <NoTrace project={project} />}
      {body === "trace" && (
        <Known
          key={trace}
          project={project}
          trace={trace}
          errors={errors.data?.errors}
          hasMore={errors.data?.has_more}
          logs={entries.data?.logs}
          total={entries.data?.total}
        />
      )}
    </Page>
  );
}

const partOf = ({ isPending, isError }: { isPending: boolean; isError: boolean }, count: number | undefined): Part => ({
  isPending,
  isError,
  count,
});

interface Props {
  project: number;
  trace: string;
  /** The newest first; none where they could not be loaded. */
  errors: EventSummary[] | undefined;
  hasMore: boolean | undefined;
  logs: LogEntry[] | undefined;
  /** Log entries that there are. */
  total: number | undefined;
}

const none: never[] = [];

function Known({ project, trace, errors: found, hasMore, logs: entries, total = 0 }: Props) {
  const [errors, logs] = [found ?? none, entries ?? none];
  const inOrder = useMemo(() => errors.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp)), [errors]);
  const word = wordOf(errors, hasMore);
  const explorer = paths.logs(project, { query: term("trace", trace), ...anyTimeRange() });
  return (
    <>
      <p className={classes.facts}>
        {found && <span>{hasMore ? `more than ${counted(errors.length, word)}` : counted(errors.length, word)}</span>}
        {entries && <Link to={explorer}>{counted(total, "log entry", "log entries")}</Link>}
        <span>
          {errors.length > 0 ? `first ${word}` : "first entry"}{" "}
          <Time at={new Date(startOf({ errors, logs })).toISOString()} />
        </span>
      </p>
      {hasMore && <p className="muted">Only the newest {exact(errors.length)} events are shown.</p>}
      {logs.length < total && (
        <p className="muted">
          Only the newest {exact(logs.length)} log entries are shown. <Link to={explorer}>All of them</Link> are in the
          log explorer.
        </p>
      )}
      <TraceTime project={project} trace={trace} errors={inOrder} word={word} logs={logs} />
    </>
  );
}

const NoTrace = ({ project }: { project: number }) => (
  <Empty
    title="Nothing has this trace ID"
    action={
      <Button component={Link} to={paths.logs(project)} variant="default">
        All logs
      </Button>
    }
  >
    <p>Its events and log entries were deleted or have not arrived yet, or the address is wrong.</p>
  </Empty>
);
