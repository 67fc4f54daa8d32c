import { CircleCheck, CircleDashed, CircleDot } from "lucide-react";
import type { Release } from "../../api/schema.d.ts";
import classes from "./List.module.css";
import { stateOf } from "./state.ts";

const states = {
  complete: {
    Icon: CircleCheck,
    words: "finalized",
    about: "Complete: its maps cannot be replaced, new ones can be added",
  },
  bare: {
    Icon: CircleDot,
    words: "no source maps",
    about: "Finalized without a source map: minified frames of it stay as they are. Maps can be added",
  },
  open: { Icon: CircleDashed, words: "open", about: "Not finalized: maps can be added and replaced" },
};

/** Whether a release is complete. */
export function ReleaseState({ release }: { release: Release }) {
  const state = stateOf(release);
  const { Icon, words, about } = states[state];
  return (
    <span className={classes.state} data-done={state === "complete" || undefined} title={about}>
      <Icon aria-hidden />
      <span>{words}</span>
    </span>
  );
}
