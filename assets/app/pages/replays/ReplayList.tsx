import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import type { RefObject } from "react";
import type { Replay } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Count } from "../../ui/Count.tsx";
import { exact } from "../../ui/format.ts";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { deviceOf } from "../account/sessions/device.ts";
import { GrowingList } from "../lists/GrowingList.tsx";
import { begunAt } from "../replay/data/clock.ts";
import { timecode } from "../replay/player/timecode.ts";
import classes from "./List.module.css";
import { Picture } from "./picture/Picture.tsx";
import { Head } from "./ReplayHead.tsx";
import { nameOf, originOf, pathOf } from "./words.ts";

/** In root ems, as the style sheet has them. */
const heights = { wide: 3, narrow: 5.25 };

interface Props {
  project: number;
  replays: Replay[];
  total: number;
  /** Shows the answer to the question before. */
  old: boolean;
  more: () => void;
  search: RefObject<HTMLInputElement | null>;
}

/** The replays that were loaded. */
export function ReplayList({ project, replays, ...list }: Props) {
  return (
    <GrowingList
      {...list}
      name="Replays"
      items={replays}
      heights={heights}
      classes={{ list: classes.replays, row: classes.row }}
      head={<Head />}
      keyOf={({ replay_id }) => replay_id}
    >
      {(replay, place) => <Cells project={project} replay={replay} place={place} />}
    </GrowingList>
  );
}

/** The environment and the release that it was recorded in; nothing if its client names neither. */
function Origin({ of: { environment, release } }: { of: Replay }) {
  const names = originOf({ environment, release });
  if (names.length === 0) return null;
  return (
    <span className={classes.origin}>
      {names.map(({ kind, name }) => (
        <span key={kind} className={classes.part}>
          <span className="unseen">{kind}: </span>
          <Line text={name} />
        </span>
      ))}
    </span>
  );
}

function Cells({ project, replay, place }: { project: number; replay: Replay; place: number }) {
  const { urls, url, error_count, click_count, duration_ms, user_agent, is_live } = replay;
  const [first = url ?? "", ...others] = urls;
  return (
    <>
      <span role="cell" className={classes.picture}>
        <Link to={paths.replay(project, replay.replay_id)} tabIndex={-1} aria-hidden>
          <Picture key={replay.replay_id} project={project} replay={replay.replay_id} place={place} />
        </Link>
      </span>
      <span role="cell" className={classes.name}>
        <span className={classes.person}>
          <Link to={paths.replay(project, replay.replay_id)} className={classes.link}>
            <Line text={nameOf(replay)} />
          </Link>
          {is_live && <span className={classes.live}>live</span>}
        </span>
        <Origin of={replay} />
      </span>
      <span role="cell" className={classes.pages} title={urls.join("\n")}>
        <Line text={pathOf(first)} mono />
        {others.length > 0 && <span className={classes.more}>+{exact(others.length)}</span>}
      </span>
      <span role="cell" className={classes.device}>
        <Line text={deviceOf(user_agent ?? null).words} />
      </span>
      <span role="cell" className={`${classes.right} ${classes.errors}`} data-some={error_count > 0 || undefined}>
        {error_count > 0 && <CircleAlert aria-hidden />}
        <Count of={error_count} unit={error_count === 1 ? "error" : "errors"} />
        <span className={classes.unit}>{error_count === 1 ? " error" : " errors"}</span>
      </span>
      <span role="cell" className={`${classes.right} ${classes.clicks}`}>
        <Count of={click_count} unit={click_count === 1 ? "click" : "clicks"} />
      </span>
      <span role="cell" className={classes.right}>
        <span className="number" title={`${exact(duration_ms)} ms`}>
          {timecode(duration_ms)}
        </span>
      </span>
      <span role="cell" className={`${classes.right} ${classes.when}`}>
        <Time at={new Date(begunAt(replay)).toISOString()} />
      </span>
    </>
  );
}
