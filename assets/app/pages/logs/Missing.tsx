import { Button } from "@mantine/core";
import { Info } from "lucide-react";
import { messageOf } from "../../api/error.ts";
import { exact } from "../../ui/format.ts";
import note from "../../ui/Note.module.css";
import { Sentence } from "../../ui/Text.tsx";
import { LogTime } from "./LogTime.tsx";
import { custom } from "./range.ts";
import { kept } from "./tail.ts";
import classes from "./Tail.module.css";
import type { CatchUp } from "./use-catch-up.ts";
import type { Show } from "./use-show.ts";

/** Says what a tail lacks of the time without a connection, and how to see it. */
export function Missing({ hole, failure, show }: CatchUp & { show: Show }) {
  return (
    <>
      {failure && (
        <div className={note.note} role="note">
          <Info aria-hidden />
          <p className={classes.missing}>
            Entries since <At time={failure.from} /> may be missing: the tail was not connected, and they could not be
            loaded. <Sentence text={messageOf(failure.error)} />
          </p>
          <Button
            variant="default"
            size="xs"
            onClick={({ currentTarget }) => {
              // The pressed button disappears.
              currentTarget.parentElement?.parentElement?.querySelector("button")?.focus({ preventScroll: true });
              failure.retry();
            }}
          >
            Load them
          </Button>
        </div>
      )}
      {hole && (
        <div className={note.note} role="note">
          <Info aria-hidden />
          <p className={classes.missing}>
            Entries between <At time={hole.start} /> and <At time={hole.end} /> may be missing: more came while the tail
            was not connected than it loads at once.
          </p>
          <Button variant="default" size="xs" onClick={() => show({ view: undefined, ...custom(hole) })}>
            Show them
          </Button>
        </div>
      )}
    </>
  );
}

/** Says that a tail holds no more entries, and how to see the others; at the top, since nobody gets to its end. */
export const Older = ({ show }: { show: Show }) => (
  <div className={note.note} role="note">
    <Info aria-hidden />
    <p className={classes.missing}>Only the newest {exact(kept)} are shown here. A search finds older ones.</p>
    <Button
      variant="default"
      size="xs"
      onClick={() => {
        document.getElementById("main")?.focus({ preventScroll: true });
        show({ view: undefined, entry: undefined });
      }}
    >
      Search all entries
    </Button>
  </div>
);

const At = ({ time }: { time: number }) => <LogTime at={new Date(time).toISOString()} />;
