import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import type { EventSummary, LogEntry } from "../../api/schema.d.ts";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { counted, exact } from "../../ui/format.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { Time } from "../../ui/Time.tsx";
import { oneLine } from "../../ui/visible.ts";
import { anyTimeRange } from "../logs/address.ts";
import { traceErrorsQuery } from "../logs/queries.ts";
import { term } from "../logs/terms.ts";
import { startOf } from "./moments.ts";
import { traceEntriesQuery } from "./queries.ts";
import { TraceTime } from "./TraceTime.tsx";
import classes from "./Trace.module.css";

const from = "/inside/projects/$projectId/traces/$traceId";

/** The errors and the log entries of a trace, each of which may fail on its own. */
export default function TracePage() {
  const { projectId: project, traceId: trace } = useParams({ from });
  const errors = useQuery(traceErrorsQuery(project, trace));
  const entries = useQuery(traceEntriesQuery(project, trace));
  return (
    <Page
      section="trace"
      title={`Trace ${oneLine(trace)}`}
      wide
      actions={<CopyButton text={trace} label="Copy trace ID" />}
    >
      <Answer query={errors} what="The errors of this trace">
        {(found) => (
          <Answer query={entries} what="The logs of this trace">
            {({ logs, total }) => (
              <Known
                key={trace}
                project={project}
                trace={trace}
                errors={found.errors}
                hasMore={found.has_more}
                logs={logs}
                total={total}
              />
            )}
          </Answer>
        )}
      </Answer>
    </Page>
  );
}

interface Props {
  project: number;
  trace: string;
  /** The newest first. */
  errors: EventSummary[];
  hasMore: boolean;
  logs: LogEntry[];
  /** Log entries that there are. */
  total: number;
}

function Known({ project, trace, errors, hasMore, logs, total }: Props) {
  const inOrder = useMemo(() => errors.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp)), [errors]);
  const explorer = paths.logs(project, { query: term("trace", trace), ...anyTimeRange() });
  if (errors.length === 0 && total === 0) return <Nothing project={project} />;
  return (
    <>
      <p className={classes.facts}>
        <span>{counted(errors.length, "error")}</span>
        <Link to={explorer}>{counted(total, "log entry", "log entries")}</Link>
        <span>
          since <Time at={new Date(startOf({ errors, logs })).toISOString()} />
        </span>
      </p>
      {hasMore && <p className="muted">Only the newest {exact(errors.length)} errors are shown.</p>}
      {logs.length < total && (
        <p className="muted">
          Only the newest {exact(logs.length)} log entries are shown. <Link to={explorer}>All of them</Link> are in the
          log explorer.
        </p>
      )}
      <TraceTime project={project} trace={trace} errors={inOrder} logs={logs} />
    </>
  );
}

const Nothing = ({ project }: { project: number }) => (
  <Empty
    title="Nothing has this trace ID"
    action={
      <Button component={Link} to={paths.logs(project)} variant="default">
        All logs
      </Button>
    }
  >
    <p>Its errors and log entries were deleted or have not arrived yet, or the address is wrong.</p>
  </Empty>
);
