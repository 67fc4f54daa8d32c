import { Link } from "@tanstack/react-router";
import type { RefObject } from "react";
import type { ReleaseHealth } from "../../api/schema.d.ts";
import { type Limits, limitWords } from "../../navigation/limits.ts";
import { paths } from "../../paths.ts";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { GrowingList } from "../lists/GrowingList.tsx";
import { Figure } from "./Figure.tsx";
import classes from "./List.module.css";
import { Head } from "./ReleaseHead.tsx";
import { ReleaseState } from "./ReleaseState.tsx";

/** In root ems, as the style sheet has them. */
const heights = { wide: 2.75, narrow: 4.25 };

interface Props {
  project: number;
  releases: ReleaseHealth[];
  total: number;
  /** Shows the answer to the question before. */
  old: boolean;
  more: () => void;
  search: RefObject<HTMLInputElement | null>;
  /** What the list is limited to. */
  limits: Limits;
  /** What a release's address takes along. */
  along: Record<string, string>;
}

/** The releases that were loaded. */
export function ReleaseList({ project, releases, limits, along, ...list }: Props) {
  return (
    <GrowingList
      {...list}
      name="Releases"
      items={releases}
      heights={heights}
      classes={{ list: classes.releases, row: classes.row }}
      head={<Head {...limits} />}
      keyOf={({ version }) => version}
    >
      {(release) => <Cells project={project} release={release} limits={limits} along={along} />}
    </GrowingList>
  );
}

interface CellsProps extends Pick<Props, "project" | "limits" | "along"> {
  release: ReleaseHealth;
}

function Cells({ project, release, limits, along }: CellsProps) {
  const within = ` ${limitWords(limits)}`.trimEnd();
  const always = limits.period === undefined ? "" : " at any time";
  const there = `${` ${limitWords({ environment: limits.environment })}`.trimEnd()}${always}`;
  return (
    <>
      <span role="cell" className={classes.name}>
        <Link to={paths.release(project, release.version)} search={along} className={classes.link}>
          <Line text={release.version} mono />
        </Link>
      </span>
      <span role="cell" className={classes.state}>
        <ReleaseState release={release} />
      </span>
      <span role="cell" className={`${classes.right} ${classes.sources}`}>
        <Figure of={release.source_map_count} one="source map" label="maps" />
      </span>
      <span role="cell" className={classes.right}>
        <Figure of={release.events_within ?? release.event_count} one="event" when={within} />
      </span>
      <span role="cell" className={`${classes.right} ${classes.users}`}>
        <Figure of={release.user_count} one="user" when={there} />
      </span>
      <span role="cell" className={`${classes.right} ${classes.issues}`}>
        <Figure of={release.issue_count} one="issue" when={there} />
      </span>
      <span role="cell" className={classes.right}>
        <Figure of={release.new_issue_count} one="issue first seen in it" many="issues first seen in it" label="new" />
      </span>
      <span role="cell" className={classes.right}>
        <Figure
          of={release.regression_count}
          one="issue that regressed in it"
          many="issues that regressed in it"
          label="regressed"
        />
      </span>
      <span role="cell" className={`${classes.right} ${classes.latest}`}>
        {release.last_event_at ? <Time at={release.last_event_at} /> : <span className={classes.zero}>none</span>}
      </span>
      <span role="cell" className={`${classes.right} ${classes.created}`}>
        <Created release={release} />
      </span>
    </>
  );
}

/** When it was created; of one that only events name, when the first was. */
function Created({ release: { created_at, first_event_at } }: { release: ReleaseHealth }) {
  if (created_at) return <Time at={created_at} />;
  if (!first_event_at) return <span className={classes.zero}>not created</span>;
  return (
    <span className={classes.first} title="Not created: only events name it">
      <span>first event</span> <Time at={first_event_at} />
    </span>
  );
}
