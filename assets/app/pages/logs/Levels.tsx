import { Level } from "../../ui/Level.tsx";
import { levels, levelsOf, toggled } from "./address.ts";
import classes from "./Bar.module.css";

/** Which levels are shown; none pressed means all. */
export function Levels({ value, set }: { value: string | undefined; set: (levels: string | undefined) => void }) {
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
        </button>
      ))}
    </div>
  );
}
