import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import type { Issue } from "../../../api/schema.d.ts";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { Count } from "../../../ui/Count.tsx";
import { HighValue } from "../../../ui/HighValue.tsx";
import { Level } from "../../../ui/Level.tsx";
import { Standing } from "../../../ui/Standing.tsx";
import { Time } from "../../../ui/Time.tsx";
import { UserCount } from "../../../ui/UserCount.tsx";
import classes from "./Header.module.css";
import type { WayBack } from "../use-list-address.ts";
import { LongText } from "./LongText.tsx";
import { ReopenNote } from "./ReopenNote.tsx";

interface Props {
  issue: Issue;
  /** The list from which it was opened; undefined in a pane beside another list. */
  list?: WayBack;
  /** Links to the previous and next issues. */
  neighbours: ReactNode;
  /** A line under the title. */
  line?: ReactNode;
  actions: ReactNode;
}

/** The issue's title, severity, frequency and age, and its actions. */
export function Header({ issue, list, neighbours, line, actions }: Props) {
  return (
    <header className={classes.header}>
      <div className={classes.line}>
        <div className={classes.marks}>
          {list && (
            <Link
              {...list.address}
              onClick={list.onClick}
              className={classes.back}
              aria-label="Back to the list of issues"
            >
              <ArrowLeft size="1em" aria-hidden />
            </Link>
          )}
          <span className={classes.id}>
            <span className="mono">{issue.short_id}</span>
            <CopyButton text={issue.short_id} label="Copy the issue’s ID" />
          </span>
          <Level level={issue.level} />
          <Standing status={issue.status} substatus={issue.substatus} />
          <HighValue issue={issue} />
          <ReopenNote issue={issue} />
        </div>
        <span className={classes.neighbours}>{neighbours}</span>
      </div>
      <div className={classes.top}>
        <div className={classes.title}>
          <p className={classes.type}>
            <LongText text={issue.type || issue.message || issue.title} lines={3} key={issue.id} />
          </p>
          {issue.type !== "" && issue.message !== "" && (
            <p className={classes.message}>
              <LongText text={issue.message} lines={3} key={issue.id} />
            </p>
          )}
          {issue.culprit !== "" && (
            <p className={classes.culprit}>
              <LongText text={issue.culprit} key={issue.id} />
            </p>
          )}
        </div>
        <Facts issue={issue} />
      </div>
      {line}
      {actions}
    </header>
  );
}

function Facts({ issue }: { issue: Issue }) {
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Events</dt>
        <dd>
          <Count of={issue.event_count} unit="events" />
        </dd>
      </div>
      <div>
        <dt>Users</dt>
        <dd>
          <UserCount of={issue.user_count} />
        </dd>
      </div>
      <div>
        <dt>Last seen</dt>
        <dd>
          <Time at={issue.last_seen} />
        </dd>
      </div>
      <div>
        <dt>First seen</dt>
        <dd>
          <Time at={issue.first_seen} />
        </dd>
      </div>
    </dl>
  );
}
