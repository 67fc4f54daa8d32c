import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { ReplayDetails } from "../../api/schema.d.ts";
import { Failed } from "../../ui/States.tsx";
import { Line } from "../../ui/Text.tsx";
import { stepsOf } from "./data/crumbs.ts";
import { replayLogsQuery } from "./data/logs.ts";
import { pageAt } from "./data/summary.ts";
import { PlayerView } from "./PlayerView.tsx";
import { Panel, type PanelName } from "./panel/Panel.tsx";
import { lanesOf } from "./player/lanes.ts";
import { usePlayerKeys } from "./player/use-player-keys.ts";
import { useWatch } from "./player/use-watch.ts";
import classes from "./Watch.module.css";

interface Props {
  project: number;
  replay: ReplayDetails;
  /** Where it begins, in milliseconds. */
  at: number;
}

/** The player with its controls and time axis, and the lists of events beside it. */
export function Watch({ project, replay, at }: Props) {
  const watched = useWatch(project, replay, at);
  const { state, player, playing, moments, fullscreen, retry } = watched;
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
      <PlayerView
        project={project}
        replay={replay}
        watched={watched}
        address={
          <div className={classes.address}>
            <Line text={playing.url ?? pageAt(summary, playing.at) ?? replay.url ?? "…"} mono />
          </div>
        }
        lanes={lanes}
        lane={shown === "user" ? undefined : shown}
        choose={show}
      />
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
