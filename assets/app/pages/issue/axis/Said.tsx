import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { oneLine } from "../../../ui/visible.ts";
import { apart } from "../details/crumbs.ts";
import classes from "./Axis.module.css";
import { laneWords, type Moment } from "./moments.ts";

interface Props {
  moment: Moment | undefined;
  /** Goes to the moment's row. */
  show: (moment: Moment) => void;
  /** Its address in the replay, where there is one. */
  watch: string | undefined;
  /** What the replay is watched for before somebody points anywhere. */
  start: string;
}

/** The moment that one looks at, with the ways to its row and into the replay. */
export const Said = ({ moment, show, watch, start }: Props) => (
  <p className={classes.said}>
    {moment ? (
      <button type="button" className={classes.moment} onClick={() => show(moment)}>
        <span className={classes.time}>{apart(moment.at)}</span>
        <span className="muted">{laneWords[moment.lane]}</span>
        <bdi className="cut">{oneLine(moment.words).slice(0, 300)}</bdi>
      </button>
    ) : (
      <span className="muted">Point at a time, or move with the arrow keys.</span>
    )}
    {watch && (
      <Link to={watch} className={classes.watch}>
        <Play size="1em" aria-hidden /> Watch {moment ? "this moment" : start}
      </Link>
    )}
  </p>
);
