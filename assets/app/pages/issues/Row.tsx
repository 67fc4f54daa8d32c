import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { Issue } from "../../api/schema.d.ts";
import type { IssueSearch } from "../../issue-search/address.ts";
import { limitWords } from "../../navigation/limits.ts";
import { paths } from "../../paths.ts";
import { eventQuery, issueQuery } from "../issue/queries.ts";
import { initials } from "../../shell/initials.ts";
import { Check } from "../../ui/Check.tsx";
import { Count } from "../../ui/Count.tsx";
import { HighValue } from "../../ui/HighValue.tsx";
import { Level } from "../../ui/Level.tsx";
import { Priority } from "../../ui/Priority.tsx";
import { Sparkline } from "../../ui/Sparkline.tsx";
import { Standing } from "../../ui/Standing.tsx";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { UserCount } from "../../ui/UserCount.tsx";
import classes from "./List.module.css";
import { noteOpened } from "./opened.ts";
import { allUsersWords, chartWords, countsOf } from "./counts.ts";
import { RowBones } from "./Bones.tsx";

interface Props {
  issue: Issue | undefined;
  /** Its position in the list, from 0. */
  place: number;
  offset: number;
  chosen: boolean;
  atCursor: boolean;
  /** The most events in an hour of any row: the top of all their charts. */
  peak: number;
  /** The address of the list. */
  search: IssueSearch;
  choose: (id: number, chosen: boolean, range: boolean) => void;
}

/** A row of the list of issues. Rendered again only when its data changes. */
export const Row = memo(function Row({ issue, place, offset, chosen, atCursor, peak, search, choose }: Props) {
  const frame = {
    className: classes.row,
    role: "row",
    "aria-rowindex": place + 2,
    style: { transform: `translateY(${offset}px)` },
  };
  if (!issue) {
    return (
      <div {...frame} aria-busy="true" data-index={place}>
        <RowBones place={place} />
      </div>
    );
  }
  const counts = countsOf(issue);
  return (
    <div
      {...frame}
      data-index={place}
      data-chosen={chosen || undefined}
      data-cursor={atCursor || undefined}
      data-issue={issue.id}
    >
      <span role="cell" className={classes.check}>
        <Check
          checked={chosen}
          onChange={() => undefined}
          onClick={(event) => choose(issue.id, !chosen, event.shiftKey)}
          aria-label={`Select ${issue.short_id}`}
        />
      </span>
      <What issue={issue} place={place} search={search} />
      <span role="cell" className={classes.trend}>
        <Sparkline counts={counts.trend} scale={peak} {...chartWords(search)} />
      </span>
      <span role="cell" className={classes.events}>
        <Count of={counts.events} unit={`events ${limitWords(search)}`.trim()} />
        <span className={classes.unit}> {counts.events === 1 ? "event" : "events"}</span>
      </span>
      <span role="cell" className={classes.users}>
        <UserCount of={issue.user_count} within={allUsersWords(search)} />
      </span>
      <span role="cell" className={classes.last}>
        <Time at={counts.lastSeen} />
      </span>
      <span role="cell" className={classes.first}>
        <Time at={counts.firstSeen} />
      </span>
      <span role="cell" className={classes.priority}>
        <Priority of={issue.priority} />
      </span>
      <span role="cell" className={classes.assignee}>
        {issue.assignee && (
          <span
            className={classes.person}
            role="img"
            aria-label={`Assigned to ${issue.assignee.name || issue.assignee.email}`}
            data-tip={`Assigned to ${issue.assignee.name || issue.assignee.email}`}
          >
            {initials(issue.assignee.name || issue.assignee.email)}
          </span>
        )}
      </span>
    </div>
  );
});

function What({ issue, place, search }: { issue: Issue } & Pick<Props, "place" | "search">) {
  const cache = useQueryClient();
  const prefetch = () => {
    const at = { project: issue.project_id, issue: issue.id };
    void cache.prefetchQuery(issueQuery(at));
    void cache.prefetchQuery(eventQuery(at));
  };
  return (
    <span role="cell" className={classes.what}>
      <span className={classes.heading}>
        <span className={classes.title}>
          <Level level={issue.level} quiet />
          <Link
            to={paths.issue(issue.project_id, issue.id)}
            search={search}
            state={{ fromList: true }}
            // Some 80 ms before the click.
            onPointerDown={prefetch}
            onClick={() => noteOpened(issue.project_id, { id: issue.id, place })}
            className={classes.link}
          >
            <Line text={issue.title} />
          </Link>
        </span>
        <span className={classes.standing}>
          <Standing status={issue.status} substatus={issue.substatus} brief />
          <HighValue issue={issue} />
        </span>
      </span>
      <span className={classes.culprit}>
        <span className="number">{issue.short_id}</span>
        {issue.culprit !== "" && <Line text={issue.culprit} mono />}
      </span>
    </span>
  );
}
