import { Link } from "@tanstack/react-router";
import type { ComparedIssues } from "../../api/schema.d.ts";
import { useCarried } from "../../navigation/use-carried.ts";
import { paths } from "../../paths.ts";
import { counted, exact } from "../../ui/format.ts";
import { Level } from "../../ui/Level.tsx";
import { Line } from "../../ui/Text.tsx";
import { oneLine } from "../../ui/visible.ts";
import classes from "./Compare.module.css";
import release from "./Release.module.css";
import { atAnyTime } from "./limited-words.ts";

interface Props {
  project: number;
  id: string;
  title: string;
  /** The text of an empty list. */
  none: string;
  list: ComparedIssues;
  names: { release: string; base: string };
  /** The query that finds all of them. */
  all?: string;
}

/** Issues with how many events they have in either release. */
export function ComparedIssueList({ project, id, title, none, list, names, all }: Props) {
  const { issues, total } = list;
  const along = useCarried("issues");
  return (
    <section className={release.section} aria-labelledby={id}>
      <h2 id={id}>
        {title} <span className="muted number">{exact(total)}</span>
      </h2>
      {issues.length === 0 ? (
        <p className={release.lead}>{none}</p>
      ) : (
        <ul className={classes.issues}>
          {issues.map((issue) => (
            <li key={issue.id}>
              <span className={classes.title}>
                <Level level={issue.level} />
                <Link to={paths.issue(project, issue.id)} search={along}>
                  <Line text={issue.title ?? issue.short_id} />
                </Link>
              </span>
              <span className={classes.culprit}>
                <Line text={issue.culprit ?? ""} mono />
              </span>
              <span className={classes.counts}>
                <span className="number">{counted(issue.events, "event")}</span>
                <span className="number muted">
                  {exact(issue.base_events)} in <bdi>{oneLine(names.base)}</bdi>
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {total > issues.length && issues.length > 0 && (
        <p className={release.lead}>
          The {issues.length} with most events of {exact(total)}.{" "}
          {all !== undefined && (
            <Link to={paths.issues(project)} search={{ ...atAnyTime(along), query: all }}>
              Show all
            </Link>
          )}
        </p>
      )}
    </section>
  );
}
