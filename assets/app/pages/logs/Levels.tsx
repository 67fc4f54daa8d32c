import type { LogLevel } from "../../api/schema.d.ts";
import { Count } from "../../ui/Count.tsx";
import { Level } from "../../ui/Level.tsx";
import { levels, levelsOf, toggled } from "./address.ts";
import classes from "./Bar.module.css";

interface Props {
  value: string | undefined;
  set: (levels: string | undefined) => void;
  /** The number of entries by level; unknown for levels that are filtered out. */
  counts: ReadonlyMap<LogLevel, number> | undefined;
}

/** Selects levels; with none pressed, all are shown. */
export function Levels({ value, set, counts }: Props) {
  const chosen = levelsOf(value);
  return (
    <div role="group" aria-label="Levels" className={classes.levels}>
      {levels.toReversed().map((level) => (
        <button
          key={level}
          type="button"
          className={classes.chip}
          aria-pressed={chosen.includes(level)}
          onClick={() => set(toggled(value, level))}
        >
          <Level level={level} />
          {counts && (chosen.length === 0 || chosen.includes(level)) && (
            <span className={classes.many}>
              <Count of={counts.get(level) ?? 0} unit="entries" />
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
