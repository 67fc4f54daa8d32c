import type { PointerEvent } from "react";
import { exact } from "../../../ui/format.ts";
import { type Lane, type LaneName, places } from "./lanes.ts";
import classes from "./Lanes.module.css";

interface Props {
  lanes: Lane[];
  lane: LaneName | undefined;
  choose: (lane: LaneName) => void;
  /** Called with the pointer's position over the axis; undefined when it leaves. */
  point: (event: PointerEvent<HTMLElement> | undefined) => void;
  seek: (event: PointerEvent<HTMLElement>) => void;
}

export const laneWords: Record<LaneName, string> = {
  steps: "Breadcrumbs",
  logs: "Logs",
  console: "Console",
  network: "Network",
  errors: "Errors",
};

/** A lane for each kind of event over the player's time. A name opens its list; a press on a lane also seeks. */
export function Lanes({ lanes, lane, choose, point, seek }: Props) {
  return lanes.map(({ name, count, marks }, index) => (
    <div key={name} className={classes.lane} data-lane={name} style={{ gridRow: index + 3 }}>
      <button type="button" className={classes.name} aria-pressed={name === lane} onClick={() => choose(name)}>
        {laneWords[name]} <span className={classes.count}>{exact(count)}</span>
      </button>
      <div
        className={classes.line}
        onPointerDown={(event) => {
          seek(event);
          choose(name);
        }}
        onPointerMove={point}
        onPointerLeave={() => point(undefined)}
      >
        <svg viewBox={`0 0 ${places} 1`} preserveAspectRatio="none" aria-hidden>
          {marks.map(([place, width, tone]) => (
            <rect key={`${place} ${width}`} x={place + 0.1} width={width - 0.2} height={1} data-tone={tone} />
          ))}
        </svg>
      </div>
    </div>
  ));
}
