import { createContext, useContext } from "react";
import type { Replay } from "../../../api/schema.d.ts";
import type { Sides } from "../logs/timeline.ts";
import type { Clocks } from "./clocks.ts";
import type { Here } from "./use-here.ts";

/** The time around an error that all its sections share. */
export interface Axis {
  /** The current position, in milliseconds after the error; undefined before somebody points anywhere. */
  at: number | undefined;
  /** The pointer is over a time. While the player is open, one looks at where that is instead. */
  point: (at: number) => void;
  /** Somebody chose a time: the player goes there, too, where it is open. */
  choose: (at: number) => void;
  /** How many log entries there are on each side of the error. */
  sides: Sides;
  setSides: (sides: Sides) => void;
  /** The clocks that it knows to differ. */
  clocks: Clocks;
  /** The replay that shows the error, if there is one; its times are by the error's clock. */
  replay: Replay | undefined;
  /** It names a replay, which is not there. */
  lacksReplay: boolean;
  /** The address of a moment in the replay, where that was recorded. */
  watch: (at: number) => string | undefined;
  /** The replay's player beside the rows. */
  here: Here;
}

export const AxisContext = createContext<Axis | undefined>(undefined);

export function useAxis(): Axis {
  const axis = useContext(AxisContext);
  if (!axis) throw new Error("There is no axis around this");
  return axis;
}
