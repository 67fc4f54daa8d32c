import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { exact } from "../format.ts";
import { Line } from "../Text.tsx";
import { Time } from "../Time.tsx";
import type { Mark } from "./marks.ts";
import classes from "./Trend.module.css";

/** How many deploys are listed; the others are only on the chart. */
const named = 3;

interface Props {
  project: number;
  marks: Mark[];
  /** What the addresses of releases take along. */
  along: Record<string, string>;
  /** Says that there are none, where a line is kept for them; nothing yet while that is not known. */
  none?: string | undefined;
}

/** The last deploys of a chart in words: what its lines stand for. */
export function DeployList({ project, marks, along, none }: Props) {
  if (marks.length === 0)
    return none === undefined ? null : <p className={`${classes.deploys} ${classes.kept}`}>{none}</p>;
  const last = marks.slice(-named).reverse();
  return (
    <ul className={none === undefined ? classes.deploys : `${classes.deploys} ${classes.kept}`} aria-label="Deploys">
      {last.map(({ deploy }) => (
        <li key={deploy.id}>
          <span className={classes.sign} aria-hidden />
          <Link to={paths.release(project, deploy.version)} search={along}>
            <Line text={deploy.version} />
          </Link>
          <span className={classes.where}>
            to <Line text={deploy.environment} />
          </span>
          <Time at={deploy.finished_at} />
        </li>
      ))}
      {marks.length > named && <li className={classes.rest}>and {exact(marks.length - named)} before</li>}
    </ul>
  );
}
