import classes from "./List.module.css";

/** The names of the columns of source maps. */
export function Head() {
  return (
    <div role="rowgroup">
      <div role="row" className={classes.head} aria-rowindex={1}>
        <span role="columnheader">Script URL</span>
        <span role="columnheader" className={classes.right}>
          Size
        </span>
        <span role="columnheader" className={classes.right}>
          Uses
        </span>
        <span role="columnheader" className={`${classes.right} ${classes.used}`}>
          Last used
        </span>
        <span role="columnheader" className={`${classes.right} ${classes.uploaded}`}>
          Uploaded
        </span>
        <span role="columnheader" className={classes.right}>
          Content hash
        </span>
      </div>
    </div>
  );
}
