import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { replayKeys } from "../../api/replay-queries.ts";
import type { ReplayDetails } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Failed } from "../../ui/States.tsx";
import { Line } from "../../ui/Text.tsx";
import { lagOf } from "./data/clock.ts";
import { stepsOf } from "./data/crumbs.ts";
import { replayLogsQuery } from "./data/logs.ts";
import type { Recording, State } from "./data/recording.ts";
import { pageAt } from "./data/summary.ts";
import { useRecording } from "./data/use-recording.ts";
import { Notes } from "./Notes.tsx";
import { Panel, type PanelName } from "./panel/Panel.tsx";
import { Controls } from "./player/Controls.tsx";
import { readPicture } from "./player/glimpse.ts";
import { lanesOf } from "./player/lanes.ts";
import { type Moment, momentsOf } from "./player/moments.ts";
import type { Playing } from "./player/player.ts";
import { Stage } from "./player/Stage.tsx";
import { Timeline } from "./player/Timeline.tsx";
import { usePlayer } from "./player/use-player.ts";
import { usePlayerKeys } from "./player/use-player-keys.ts";
import classes from "./Watch.module.css";

interface Props {
  project: number;
  replay: ReplayDetails;
  /** Where it begins, in milliseconds. */
  at: number;
}

/** The player with its controls and time axis, and the lists of events beside it. */
export function Watch({ project, replay, at }: Props) {
  const { recording, state } = useRecording(project, replay);
  const [root, setRoot] = useState<HTMLElement>();
  const [shown, show] = useState<PanelName>(replay.errors.length > 0 ? "errors" : "steps");
  const read = usePictures(project, replay.replay_id, recording);
  // Where it begins is a matter of the address as it was opened.
  const [begun] = useState(at);
  const { player, playing } = usePlayer(recording, root, begun, read);
  const whole = useRef<HTMLDivElement>(null);
  const { summary, phase, error, isReady } = state;
  const moments = useMoments(state, replay);
  const logs = useQuery(replayLogsQuery(project, replay, summary));
  // The summary is mutated; the moments are recomputed with it.
  const steps = useMemo(() => stepsOf(summary, moments), [summary, moments]);
  const lines = logs.data?.lines;
  const lanes = useMemo(
    () => lanesOf({ summary, steps, moments, logs: lines ?? [] }, summary.duration),
    [summary, steps, moments, lines],
  );
  const cache = useQueryClient();
  const { isEnded } = summary;
  useEffect(() => {
    if (isEnded && replay.is_live)
      void cache.invalidateQueries({ queryKey: replayKeys.one(project, replay.replay_id) });
  }, [isEnded, cache, project, replay.replay_id, replay.is_live]);
  const fullscreen = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void whole.current?.requestFullscreen?.();
  };
  usePlayerKeys(player, fullscreen);
  const seek = (to: number) => player?.seek(to);
  if (phase === "failed" && !isReady)
    return (
      <Failed error={error} what="The recording" retry={() => void recording.load(new AbortController().signal)} />
    );
  return (
    <div className={classes.watch}>
      <div className={classes.main} ref={whole}>
        <div className={classes.address}>
          <Line text={playing.url ?? pageAt(summary, playing.at) ?? replay.url ?? "…"} mono />
        </div>
        <Stage setRoot={setRoot} playing={playing} words={words(state, playing)} />
        <Controls
          player={player}
          playing={playing}
          summary={summary}
          project={project}
          replay={replay}
          fullscreen={fullscreen}
        />
        <Timeline
          summary={summary}
          moments={moments}
          playing={playing}
          lanes={lanes}
          lane={shown === "user" ? undefined : shown}
          choose={show}
          isLoading={phase === "loading"}
          seek={seek}
        />
        <Notes replay={replay} summary={summary} isFailed={phase === "failed"} />
      </div>
      <div className={classes.side}>
        <Panel
          project={project}
          replay={replay}
          summary={summary}
          steps={steps}
          logs={logs}
          moments={moments}
          shown={shown}
          show={show}
          at={playing.at}
          seek={seek}
        />
      </div>
    </div>
  );
}

/** Reads what draws a moment of a replay. */
function usePictures(project: number, replay: string, recording: Recording) {
  return useCallback(
    (at: number, signal: AbortSignal) => {
      const { start } = recording.state().summary;
      return readPicture(paths.replayMoment(project, replay, at), start + at, signal, recording.sheets);
    },
    [project, replay, recording],
  );
}

/** The moments of what has been read; while it is being read, they follow a little behind. */
function useMoments({ summary, version, phase }: State, replay: ReplayDetails): Moment[] {
  const { errors } = replay;
  const lag = lagOf(replay);
  // Thousands of clicks are not looked at again for each piece that arrives.
  const turn = phase === "loading" ? Math.floor(version / 20) : version;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the summary is added to in place
  return useMemo(() => momentsOf(summary, errors, lag), [summary, errors, lag, turn]);
}

/** What is said in place of the picture. */
function words({ isReady, phase, summary }: State, { isWaiting, isBroken }: Playing): string | undefined {
  if (isBroken) return "This part of the recording is damaged and cannot be shown.";
  if (isWaiting) return "Waiting for more of the recording…";
  if (isReady) return undefined;
  if (summary.ended?.why === "too large") return "The page was too large to be recorded.";
  return phase === "loading"
    ? "Loading the recording…"
    : "The recording has no picture of the page: its beginning has not arrived.";
}
