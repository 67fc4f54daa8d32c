import { limitWords, type Period } from "../../navigation/limits.ts";
import classes from "./List.module.css";

/** The names of the columns of releases. In a list of a period, those say so that are of all times. */
export function Head({ period }: { period?: Period | undefined }) {
  const right = (word: string, also = "", hint?: string) => (
    <span role="columnheader" className={`${classes.right} ${also}`}>
      {hint === undefined ? word : <Hinted word={word} hint={hint} />}
    </span>
  );
  const always = period === undefined ? undefined : "at any time";
  return (
    <div role="rowgroup">
      <div role="row" className={classes.head} aria-rowindex={1}>
        <span role="columnheader">Version</span>
        <span role="columnheader">State</span>
        {right("Maps", classes.sources)}
        {right("Events", "", period && limitWords({ period }))}
        {right("Users", classes.users, always)}
        {right("Issues", classes.issues, always)}
        {right("New", "", always)}
        {right("Regressed", "", always)}
        {right("Last event")}
        {right("Created", classes.created)}
      </div>
    </div>
  );
}

/** A column's name, and when what it counts was, on hover and for screen readers. */
function Hinted({ word, hint }: { word: string; hint: string }) {
  return (
    <span className={classes.hinted} title={`${word} ${hint}`}>
      {word}
      <span className="unseen"> {hint}</span>
    </span>
  );
}
