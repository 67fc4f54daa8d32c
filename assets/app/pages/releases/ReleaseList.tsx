import { Link } from "@tanstack/react-router";
import { type RefObject, useRef } from "react";
import type { ReleaseHealth } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { Figure } from "./Figure.tsx";
import classes from "./List.module.css";
import { Head } from "./ReleaseHead.tsx";
import { ReleaseState } from "./ReleaseState.tsx";
import { useListKeys } from "./use-list-keys.ts";
import { useRows } from "./use-rows.ts";

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
}

/** The rows in sight of the releases that were loaded. */
export function ReleaseList({ project, releases, total, old, more, search }: Props) {
  const body = useRef<HTMLDivElement>(null);
  const rows = useRows({ count: releases.length, body, heights, more });
  const scrollTo = (row: number) => rows.scrollToIndex(row, { align: "auto" });
  useListKeys({ name: "Releases", count: releases.length, search, scrollTo, body });
  return (
    <div
      role="table"
      aria-label="Releases"
      aria-rowcount={total + 1}
      className={`${classes.releases} ${old ? classes.old : ""}`}
    >
      <Head />
      <div role="rowgroup" ref={body} className={classes.body} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const release = releases[index];
          return (
            release && (
              <Row
                key={release.id}
                project={project}
                release={release}
                place={index}
                offset={start - rows.options.scrollMargin}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

function Row({
  project,
  release,
  place,
  offset,
}: {
  project: number;
  release: ReleaseHealth;
  place: number;
  offset: number;
}) {
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      data-index={place}
      className={classes.row}
      style={{ transform: `translateY(${offset}px)` }}
    >
      <span role="cell" className={classes.name}>
        <Link to={paths.release(project, release.version)} className={classes.link}>
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
        <Figure of={release.event_count} one="event" />
      </span>
      <span role="cell" className={`${classes.right} ${classes.users}`}>
        <Figure of={release.user_count} one="user" />
      </span>
      <span role="cell" className={`${classes.right} ${classes.issues}`}>
        <Figure of={release.issue_count} one="issue" />
      </span>
      <span role="cell" className={classes.right}>
        <Figure of={release.new_issue_count} one="issue first seen in it" many="issues first seen in it" label="new" />
      </span>
      <span role="cell" className={classes.right}>
        <Figure
          of={release.regression_count}
          one="issue that came back in it"
          many="issues that came back in it"
          label="regressed"
        />
      </span>
      <span role="cell" className={`${classes.right} ${classes.latest}`}>
        {release.last_event_at ? <Time at={release.last_event_at} /> : <span className={classes.zero}>none</span>}
      </span>
      <span role="cell" className={`${classes.right} ${classes.created}`}>
        <Time at={release.created_at} />
      </span>
    </div>
  );
}
