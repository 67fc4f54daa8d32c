import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import type { Event } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { counted } from "../../../ui/format.ts";
import { nameOf } from "../../replays/words.ts";
import { timecode } from "../../replay/player/timecode.ts";
import { Line } from "../../../ui/Text.tsx";
import { useAxis } from "../axis/context.ts";
import { Section } from "../details/Section.tsx";
import classes from "./EventReplay.module.css";
import { secondsBefore } from "./moment.ts";

/** The replay that shows the event, or that the one it names is not there. */
export function EventReplay({ event }: { event: Event }) {
  const { project_id: project, issue_id, timestamp } = event;
  const { replay, lacksReplay } = useAxis();
  if (!replay) return lacksReplay ? <NoReplay /> : null;
  const seconds = secondsBefore(Date.parse(timestamp), replay.start_timestamp);
  return (
    <Section
      id="replay"
      title="Replay"
      tools={<Link to={paths.replays(project, { issue: String(issue_id) })}>All replays of this issue</Link>}
    >
      <div className={classes.replay}>
        <Button
          component={Link}
          to={paths.replay(project, replay.replay_id, seconds)}
          leftSection={<Play size="1em" aria-hidden />}
        >
          Watch what happened
        </Button>
        <span className={classes.about}>
          <Line text={nameOf(replay)} />
          <span className="number">{timecode(replay.duration_ms)}</span>
          <span>{counted(replay.click_count, "click")}</span>
          {replay.is_live && <span>live</span>}
        </span>
      </div>
    </Section>
  );
}

const NoReplay = () => <p className={classes.none}>The replay of this event has not arrived, or was deleted.</p>;
