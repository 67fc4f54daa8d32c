import { ActionIcon, Button, Checkbox } from "@mantine/core";
import { FastForward, Maximize, Pause, Play, Rewind } from "lucide-react";
import type { ReplayDetails } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import type { Summary } from "../data/summary.ts";
import classes from "./Controls.module.css";
import { type Player, type Playing, speeds } from "./player.ts";
import { timecode } from "./timecode.ts";
import { nextSpeed, step } from "./use-player-keys.ts";

interface Props {
  player: Player | undefined;
  playing: Playing;
  summary: Summary;
  project: number;
  replay: ReplayDetails;
  fullscreen: () => void;
}

export function Controls({ player, playing, summary, project, replay, fullscreen }: Props) {
  const { at, isPlaying, speed, skips } = playing;
  const link = () => `${location.origin}${paths.replay(project, replay.replay_id, Math.floor(at / 1_000))}`;
  const move = (by: number) => player?.seek(at + by);
  return (
    <div className={classes.controls}>
      <div className={classes.group}>
        <ActionIcon
          size="lg"
          variant="filled"
          color="accent"
          aria-label={isPlaying ? "Pause" : "Play"}
          data-tip={isPlaying ? "Pause (Space)" : "Play (Space)"}
          disabled={!player}
          onClick={() => player?.toggle()}
        >
          {isPlaying ? <Pause size="1.125em" aria-hidden /> : <Play size="1.125em" aria-hidden />}
        </ActionIcon>
        <ActionIcon aria-label="Back 5 seconds" data-tip="Back 5 seconds (←)" onClick={() => move(-step)}>
          <Rewind size="1em" aria-hidden />
        </ActionIcon>
        <ActionIcon aria-label="Forward 5 seconds" data-tip="Forward 5 seconds (→)" onClick={() => move(step)}>
          <FastForward size="1em" aria-hidden />
        </ActionIcon>
        <span className={classes.time} title={`${Math.round(at)} of ${Math.round(summary.duration)} ms`}>
          {timecode(at)} <span className="muted">/ {timecode(Math.max(at, summary.duration))}</span>
        </span>
      </div>
      <div className={classes.group}>
        <Button
          variant="default"
          aria-label={`Speed: ${speed}×`}
          data-tip="Speed (< and >)"
          onClick={() => player?.setSpeed(speed === speeds.at(-1) ? speeds[0] : nextSpeed(speed, 1))}
        >
          <span className={classes.speed}>{speed}×</span>
        </Button>
        <Checkbox
          size="xs"
          label="Skip inactivity"
          checked={skips}
          onChange={(event) => player?.setSkips(event.currentTarget.checked)}
        />
        <CopyButton text={link} label="Copy link to this moment" />
        <ActionIcon aria-label="Full screen" data-tip="Full screen (F)" onClick={fullscreen}>
          <Maximize size="1em" aria-hidden />
        </ActionIcon>
      </div>
    </div>
  );
}
