import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type FocusEvent, useEffect, useRef, useState } from "react";
import { paths } from "../../../paths.ts";
import { Loading } from "../../../ui/States.tsx";
import { useComponent } from "../../../ui/use-component.ts";
import type { Sent } from "../axis/use-here.ts";
import classes from "./Here.module.css";
import { openerId } from "./OpenHere.tsx";

const loadPlayer = () => import("./EventPlayer.tsx");

interface Props {
  project: number;
  replay: string;
  sent: Sent;
  moved: (to: number) => void;
  close: () => void;
}

/** The player of the replay beside the rows. Its keys work while it has the focus. */
export function ReplayHere({ project, replay, sent, moved, close }: Props) {
  const Player = useComponent(loadPlayer, true);
  const [hasFocus, setFocus] = useState(false);
  const box = useRef<HTMLElement>(null);
  // What was pressed to open it may be gone.
  useEffect(() => {
    box.current?.focus();
  }, []);
  const left = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setFocus(false);
  };
  const end = () => {
    close();
    requestAnimationFrame(() => document.getElementById(openerId)?.focus());
  };
  return (
    <section
      ref={box}
      className={classes.here}
      tabIndex={-1}
      aria-label="Replay of this event"
      onFocus={() => setFocus(true)}
      onBlur={left}
    >
      <div className={classes.head}>
        <Link to={paths.replay(project, replay, Math.floor(sent.to / 1_000))}>Open the replay’s page</Link>
        <Button variant="subtle" size="compact-sm" onClick={end}>
          Close the player
        </Button>
      </div>
      {Player ? (
        <Player project={project} replay={replay} sent={sent} moved={moved} hasFocus={hasFocus} bones={bones} />
      ) : (
        <Loading label="Loading the player" bones={bones} />
      )}
    </section>
  );
}

const bones = <div className={classes.bones} />;
