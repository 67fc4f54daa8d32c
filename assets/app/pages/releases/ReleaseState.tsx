import { CircleCheck, CircleDashed, CircleDot, Eye } from "lucide-react";
import type { ReleaseHealth } from "../../api/schema.d.ts";
import classes from "./List.module.css";
import { stateOf } from "./state.ts";

const states = {
  seen: {
    Icon: Eye,
    words: "seen in events",
    about: "Only events name it: nothing was created or uploaded for it",
  },
  complete: {
    Icon: CircleCheck,
    words: "finalized",
    about: "Complete: its source maps can no longer be replaced, but more can be added",
  },
  bare: {
    Icon: CircleDot,
    words: "no source maps",
    about: "Finalized without source maps. If its scripts are minified, source maps can still be added",
  },
  open: { Icon: CircleDashed, words: "open", about: "Not finalized: source maps can be added and replaced" },
};

/** Whether a release is complete. */
export function ReleaseState({ release }: { release: ReleaseHealth }) {
  const state = stateOf(release);
  const { Icon, words, about } = states[state];
  return (
    <span className={classes.state} data-done={state === "complete" || undefined} title={about}>
      <Icon aria-hidden />
      <span>{words}</span>
    </span>
  );
}
