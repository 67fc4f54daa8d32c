import classes from "./List.module.css";

/** The names of the list's columns. */
export function Head() {
  return (
    <div role="rowgroup">
      <div role="row" className={classes.head} aria-rowindex={1}>
        <span role="columnheader">Time</span>
        <span role="columnheader">Level</span>
        <span role="columnheader">Message</span>
        <span role="columnheader" className={classes.logger}>
          Logger
        </span>
      </div>
    </div>
  );
}
