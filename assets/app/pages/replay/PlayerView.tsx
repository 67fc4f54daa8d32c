import type { ReactNode } from "react";
import type { ReplayDetails } from "../../api/schema.d.ts";
import { Notes } from "./Notes.tsx";
import { Controls } from "./player/Controls.tsx";
import type { Lane, LaneName } from "./player/lanes.ts";
import { Stage } from "./player/Stage.tsx";
import { Timeline } from "./player/Timeline.tsx";
import { stageWords, type useWatch } from "./player/use-watch.ts";
import classes from "./Watch.module.css";

interface Props {
  project: number;
  replay: ReplayDetails;
  watched: ReturnType<typeof useWatch>;
  /** Above the picture. */
  address?: ReactNode;
  /** Below the activity; without them, the lines are those of the page. */
  lanes?: Lane[];
  /** The lane whose list is open beside the player. */
  lane?: LaneName | undefined;
  choose?: (lane: LaneName) => void;
}

/** The picture of a replay with its controls and time axis, and what is missing from it. */
export function PlayerView({ project, replay, watched, address, lanes = none, lane, choose = ignored }: Props) {
  const { state, player, playing, moments, setRoot, whole, fullscreen } = watched;
  const { summary, phase } = state;
  return (
    <div className={classes.main} ref={whole}>
      {address}
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
        lane={lane}
        choose={choose}
        isLoading={phase === "loading"}
        seek={(to) => player?.seek(to)}
      />
      <Notes replay={replay} summary={summary} isFailed={phase === "failed"} />
    </div>
  );
}

const none: never[] = [];
const ignored = () => {};
