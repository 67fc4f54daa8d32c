import { createContext, useContext } from "react";
import type { Replay } from "../../../api/schema.d.ts";
import type { Sides } from "../logs/timeline.ts";

/** The time around an error that all its sections share. */
export interface Axis {
  /** The current position, in milliseconds after the error; undefined before somebody points anywhere. */
  at: number | undefined;
  point: (at: number) => void;
  /** How many log entries there are on each side of the error. */
  sides: Sides;
  setSides: (sides: Sides) => void;
  /** The replay that shows the error, if there is one. */
  replay: Replay | undefined;
  /** The address of a moment in the replay, where that was recorded. */
  watch: (at: number) => string | undefined;
}

export const AxisContext = createContext<Axis | undefined>(undefined);

export function useAxis(): Axis {
  const axis = useContext(AxisContext);
  if (!axis) throw new Error("There is no axis around this");
  return axis;
}
