import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { ReplayDetails } from "../../api/schema.d.ts";
import { Failed } from "../../ui/States.tsx";
import { Line } from "../../ui/Text.tsx";
import { stepsOf } from "./data/crumbs.ts";
import { replayLogsQuery } from "./data/logs.ts";
import { pageAt } from "./data/summary.ts";
import { Notes } from "./Notes.tsx";
import { Panel, type PanelName } from "./panel/Panel.tsx";
import { Controls } from "./player/Controls.tsx";
import { lanesOf } from "./player/lanes.ts";
import { Stage } from "./player/Stage.tsx";
import { Timeline } from "./player/Timeline.tsx";
import { usePlayerKeys } from "./player/use-player-keys.ts";
import { stageWords, useWatch } from "./player/use-watch.ts";
import classes from "./Watch.module.css";

interface Props {
  project: number;
  replay: ReplayDetails;
  /** Where it begins, in milliseconds. */
  at: number;
}

/** The player with its controls and time axis, and the lists of events beside it. */
export function Watch({ project, replay, at }: Props) {
  const { state, player, playing, moments, setRoot, whole, fullscreen, retry } = useWatch(project, replay, at);
  const [shown, show] = useState<PanelName>(replay.errors.length > 0 ? "errors" : "steps");
  const { summary, phase, error, isReady } = state;
  const logs = useQuery(replayLogsQuery(project, replay, summary));
  // The summary is mutated; the moments are recomputed with it.
  const steps = useMemo(() => stepsOf(summary, moments), [summary, moments]);
  const lines = logs.data?.lines;
  const lanes = useMemo(
    () => lanesOf({ summary, steps, moments, logs: lines ?? [] }, summary.duration),
    [summary, steps, moments, lines],
  );
  usePlayerKeys(player, fullscreen);
  const seek = (to: number) => player?.seek(to);
  if (phase === "failed" && !isReady) return <Failed error={error} what="The recording" retry={retry} />;
  return (
    <div className={classes.watch}>
      <div className={classes.main} ref={whole}>
        <div className={classes.address}>
          <Line text={playing.url ?? pageAt(summary, playing.at) ?? replay.url ?? "…"} mono />
        </div>
        <Stage setRoot={setRoot} playing={playing} words={stageWords(state, playing)} />
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
