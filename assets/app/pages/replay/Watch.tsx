import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { replayKeys } from "../../api/replay-queries.ts";
import type { ReplayDetails } from "../../api/schema.d.ts";
import { Failed } from "../../ui/States.tsx";
import { Line } from "../../ui/Text.tsx";
import { stepsOf } from "./data/crumbs.ts";
import { replayLogsQuery } from "./data/logs.ts";
import type { State } from "./data/recording.ts";
import { pageAt } from "./data/summary.ts";
import { useRecording } from "./data/use-recording.ts";
import { Notes } from "./Notes.tsx";
import { Panel, type PanelName } from "./panel/Panel.tsx";
import { Controls } from "./player/Controls.tsx";
import { lanesOf } from "./player/lanes.ts";
import type { Playing } from "./player/player.ts";
import { Stage } from "./player/Stage.tsx";
import { Timeline } from "./player/Timeline.tsx";
import { useMoments } from "./player/use-moments.ts";
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
  const { recording, state } = useRecording(project, replay.replay_id, replay.is_live);
  const [root, setRoot] = useState<HTMLElement>();
  const [shown, show] = useState<PanelName>(replay.errors.length > 0 ? "errors" : "steps");
  const { player, playing } = usePlayer(recording, root, at);
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
          <Line text={pageAt(summary, playing.at) ?? replay.url ?? "…"} mono />
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
        <Notes version={replay.rrweb_version} summary={summary} isFailed={phase === "failed"} />
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

/** The text shown instead of the page. */
function words({ isReady, phase, summary }: State, { isWaiting, isBroken }: Playing): string | undefined {
  if (isBroken) return "This part of the recording is damaged and cannot be shown.";
  if (isWaiting) return "Waiting for more of the recording…";
  if (isReady) return undefined;
  if (summary.ended?.why === "too large") return "The page was too large to be recorded.";
  return phase === "loading"
    ? "Loading the recording…"
    : "The recording has no picture of the page: its beginning has not arrived.";
}
