import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { counted } from "../../ui/format.ts";
import { type Arrival, isLater } from "./arrival.ts";
import classes from "./Start.module.css";

/** For those who come back: there is something to read already. */
export function HasEvents({ project, arrival }: { project: number; arrival: Arrival }) {
  if (!isLater(arrival)) return null;
  return (
    <p className={classes.note}>
      This project receives events already: it has{" "}
      <Link to={paths.issues(project)}>{counted(arrival.total, "issue")}</Link>. The steps below connect another
      application, or a build.
    </p>
  );
}
