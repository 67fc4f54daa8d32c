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
  /** The text if there are no deploys, where space is reserved; nothing until that is known. */
  none?: string | undefined;
}

/** The last deploys on a chart as text, which explains the chart's lines. */
export function DeployList({ project, marks, none }: Props) {
  if (marks.length === 0)
    return none === undefined ? null : <p className={`${classes.deploys} ${classes.kept}`}>{none}</p>;
  const last = marks.slice(-named).reverse();
  return (
    <ul className={none === undefined ? classes.deploys : `${classes.deploys} ${classes.kept}`} aria-label="Deploys">
      {last.map(({ deploy }) => (
        <li key={deploy.id}>
          <span className={classes.sign} aria-hidden />
          <Link to={paths.release(project, deploy.version)}>
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
