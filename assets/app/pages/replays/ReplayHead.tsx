import classes from "./List.module.css";

/** The names of the columns. */
export function Head() {
  return (
    <div role="rowgroup">
      <div role="row" className={classes.head} aria-rowindex={1}>
        <span role="columnheader">
          <span className="unseen">Picture</span>
        </span>
        <span role="columnheader">User</span>
        <span role="columnheader">Pages</span>
        <span role="columnheader" className={classes.device}>
          Device
        </span>
        <span role="columnheader" className={classes.right}>
          Errors
        </span>
        <span role="columnheader" className={`${classes.right} ${classes.clicks}`}>
          Clicks
        </span>
        <span role="columnheader" className={classes.right}>
          Duration
        </span>
        <span role="columnheader" className={classes.right}>
          When
        </span>
      </div>
    </div>
  );
}
