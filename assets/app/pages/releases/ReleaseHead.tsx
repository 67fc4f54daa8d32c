import classes from "./List.module.css";

/** The names of the columns of releases. */
export function Head() {
  const right = (word: string, also = "") => (
    <span role="columnheader" className={`${classes.right} ${also}`}>
      {word}
    </span>
  );
  return (
    <div role="rowgroup">
      <div role="row" className={classes.head} aria-rowindex={1}>
        <span role="columnheader">Version</span>
        <span role="columnheader">State</span>
        {right("Maps", classes.sources)}
        {right("Events")}
        {right("Users", classes.users)}
        {right("Issues", classes.issues)}
        {right("New")}
        {right("Regressed")}
        {right("Last event")}
        {right("Created", classes.created)}
      </div>
    </div>
  );
}
