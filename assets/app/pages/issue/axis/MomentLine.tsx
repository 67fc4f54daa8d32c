import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import type { ReactNode } from "react";
import { oneLine } from "../../../ui/visible.ts";
import { apart } from "../details/crumbs.ts";
import classes from "./Axis.module.css";
import { type Moment, placeWords } from "./moments.ts";

interface Props {
  moment: Moment | undefined;
  /** Goes to the moment's row. */
  show: (moment: Moment) => void;
  /** Its address in the replay, where there is one. */
  watch: string | undefined;
  /** What the replay is watched for before somebody points anywhere. */
  start: string;
  /** Other ways. */
  children?: ReactNode;
}

/** The moment that one looks at, with the ways to its row and into the replay. */
export const MomentLine = ({ moment, show, watch, start, children }: Props) => (
  <p className={classes.said}>
    {moment ? (
      <button type="button" className={classes.moment} onClick={() => show(moment)}>
        <span className={classes.time}>{apart(moment.at)}</span>
        <span className="muted">{placeWords(moment)}</span>
        <bdi className="cut">{oneLine(moment.words).slice(0, 300)}</bdi>
      </button>
    ) : (
      <span className="muted">
        <span className={classes.pointed}>Point at a time, or move with the arrow keys.</span>
        <span className={classes.touched}>Tap a time to see what happened then.</span>
      </span>
    )}
    <span className={classes.ways}>
      {children}
      {watch && (
        <Link to={watch} className={classes.watch}>
          <Play size="1em" aria-hidden /> Watch {moment ? "this moment" : start}
        </Link>
      )}
    </span>
  </p>
);
