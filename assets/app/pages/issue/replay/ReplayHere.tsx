import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { paths } from "../../../paths.ts";
import { useKeys } from "../../../shell/keys.ts";
import { Loading } from "../../../ui/States.tsx";
import { useComponent } from "../../../ui/use-component.ts";
import type { Sent } from "../axis/use-here.ts";
import classes from "./Here.module.css";
import { openerId } from "./OpenHere.tsx";
import { useHeldFocus } from "./use-held-focus.ts";

const loadPlayer = () => import("./EventPlayer.tsx");

interface Props {
  project: number;
  replay: string;
  sent: Sent;
  /** Where the player is, in milliseconds from the beginning. */
  at: number;
  moved: (to: number) => void;
  close: () => void;
}

/** The player of the replay beside the rows. Its keys work while it has the focus. */
export function ReplayHere({ project, replay, sent, at, moved, close }: Props) {
  const Player = useComponent(loadPlayer, true);
  const box = useRef<HTMLElement>(null);
  const { hasFocus, handlers } = useHeldFocus(box);
  const end = () => {
    close();
    requestAnimationFrame(() => document.getElementById(openerId)?.focus());
  };
  return (
    <section ref={box} className={classes.here} tabIndex={-1} aria-label="Replay of this event" {...handlers}>
      <div className={classes.head}>
        <Link to={paths.replay(project, replay, Math.floor(at / 1_000))}>Open the replay’s page</Link>
        <Button variant="subtle" size="compact-sm" onClick={end}>
          Close the player
        </Button>
      </div>
      {hasFocus && <Keys close={end} />}
      {Player ? (
        <Player project={project} replay={replay} sent={sent} moved={moved} hasFocus={hasFocus} bones={bones} />
      ) : (
        <Loading label="Loading the player" bones={bones} />
      )}
    </section>
  );
}

/** The key that works whatever stands in the player's place, for as long as this is shown. */
function Keys({ close }: { close: () => void }) {
  // In full screen the browser leaves that.
  const run = () => !document.fullscreenElement && close();
  useKeys("Player", [{ keys: "Escape", does: "Close the player", run }]);
  return null;
}

const bones = <div className={classes.bones} />;
