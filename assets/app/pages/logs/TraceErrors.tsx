import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { Level } from "../../ui/Level.tsx";
import { Answer } from "../../ui/States.tsx";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import classes from "./Detail.module.css";
import { traceErrorsQuery } from "./queries.ts";

/** Events in the same trace, each with its level and its issue. */
export function TraceErrors({ project, trace }: { project: number; trace: string }) {
  const query = useQuery(traceErrorsQuery(project, trace));
  return (
    <section className={classes.part} aria-label="Events in this trace">
      <h3>Events in this trace</h3>
      <Answer query={query} what="The events" rows={1}>
        {({ errors, has_more }) => (
          <>
            {errors.length === 0 && <p className="muted">No events have this trace ID.</p>}
            <ul className={classes.errors}>
              {errors.map((error) => (
                <li key={error.id}>
                  <Level level={error.level} quiet />
                  <Link to={paths.issue(project, error.issue_id, error.event_id)} className={classes.error}>
                    <Line text={error.title} />
                  </Link>
                  <span className={classes.ago}>
                    <Time at={error.timestamp} />
                  </span>
                </li>
              ))}
            </ul>
            <p className={classes.whole}>
              <Link to={paths.trace(project, trace)}>The whole trace</Link>
            </p>
            {has_more && <p className="muted">Only the newest {errors.length} are shown.</p>}
          </>
        )}
      </Answer>
    </section>
  );
}
