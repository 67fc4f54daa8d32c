import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { counted } from "../../ui/format.ts";
import { type Arrival, isLater } from "./arrival.ts";
import classes from "./Start.module.css";

/** For a project that has events already. */
export function HasEvents({ project, arrival }: { project: number; arrival: Arrival }) {
  if (!isLater(arrival)) return null;
  return (
    <p className={classes.note}>
      This project already receives events: it has{" "}
      <Link to={paths.issues(project)}>{counted(arrival.total, "issue")}</Link>. Use these steps to connect another
      application or a build.
    </p>
  );
}
