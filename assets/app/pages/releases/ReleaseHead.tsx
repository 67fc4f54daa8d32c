import { type Limits, limitWords } from "../../navigation/limits.ts";
import classes from "./List.module.css";

/** The names of the columns of releases. In a list of an environment or a period, they say what counts. */
export function Head({ environment, period }: Limits) {
  const right = (word: string, also = "", hint?: string) => (
    <span role="columnheader" className={`${classes.right} ${also}`}>
      {hint === undefined ? word : <Hinted word={word} hint={hint} />}
    </span>
  );
  const within = limitWords({ environment, period }) || undefined;
  const there = limitWords({ environment });
  const everywhere = environment === undefined ? "" : "in every environment";
  const always = period === undefined ? "" : "at any time";
  const both = (where: string) => [where, always].filter((words) => words !== "").join(" ") || undefined;
  return (
    <div role="rowgroup">
      <div role="row" className={classes.head} aria-rowindex={1}>
        <span role="columnheader">Version</span>
        <span role="columnheader">State</span>
        {right("Maps", classes.sources)}
        {right("Events", "", within)}
        {right("Users", classes.users, both(there))}
        {right("Issues", classes.issues, both(there))}
        {right("New", "", both(everywhere))}
        {right("Regressed", "", both(everywhere))}
        {right("Last event", "", there || undefined)}
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
