import { type Limits, periods } from "../../navigation/limits.ts";
import { Check } from "../../ui/Check.tsx";
import { chartWords, hintsOf } from "./counts.ts";
import classes from "./List.module.css";

interface Props {
  /** Chosen issues. */
  chosen?: number;
  /** Issues that could be chosen. */
  loaded?: number;
  chooseAll?: (chosen: boolean) => void;
  /** The limits of the list. */
  limits?: Limits;
}

/** The names of the list's columns, and a box that chooses all rows. */
export function Head({ chosen = 0, loaded = 0, chooseAll, limits = {} }: Props) {
  const { unit } = chartWords(limits);
  const hints = hintsOf(limits);
  const all = chosen > 0 && chosen >= loaded;
  return (
    <div role="rowgroup">
      <div role="row" className={classes.head} aria-rowindex={1}>
        <span role="columnheader">
          <Check
            checked={all}
            indeterminate={chosen > 0 && !all}
            disabled={!chooseAll}
            onChange={() => chooseAll?.(!all)}
            aria-label="Select all loaded issues"
          />
        </span>
        <span role="columnheader">Issue</span>
        <span
          role="columnheader"
          className={classes.trend}
          title={`Events per ${unit}. All charts share one logarithmic scale.`}
        >
          {periods[limits.period ?? "24h"]}
        </span>
        <span role="columnheader" className={classes.events}>
          <Hinted name="Events" hint={hints.events} />
        </span>
        <span role="columnheader" className={classes.users}>
          <Hinted name={hints.users ? "All users" : "Users"} hint={hints.users} />
        </span>
        <span role="columnheader" className={classes.last}>
          <Hinted name="Last seen" hint={hints.lastSeen} />
        </span>
        <span role="columnheader" className={classes.first}>
          <Hinted name="First seen" hint={hints.firstSeen} />
        </span>
        <span role="columnheader" className={classes.priority}>
          <span className="unseen">Priority</span>
        </span>
        <span role="columnheader" className={classes.assignee}>
          <span className="unseen">Assignee</span>
        </span>
      </div>
    </div>
  );
}

/** A column's name, and what it is about, on hover and for screen readers. */
function Hinted({ name, hint }: { name: string; hint: string | undefined }) {
  if (hint === undefined) return name;
  return (
    <span className={classes.hinted} title={hint}>
      {name}
      <span className="unseen">: {hint}</span>
    </span>
  );
}
