import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import type { Issue } from "../../../api/schema.d.ts";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { Count } from "../../../ui/Count.tsx";
import { Level } from "../../../ui/Level.tsx";
import { Standing } from "../../../ui/Standing.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import { UserCount } from "../../../ui/UserCount.tsx";
import classes from "./Header.module.css";
import type { WayBack } from "../use-list-address.ts";
import { LongText } from "./LongText.tsx";
import { Until } from "./Until.tsx";

/** What the issue is, how bad, how often and since when; and what can be done. */
export function Header({ issue, list, actions }: { issue: Issue; list: WayBack; actions: ReactNode }) {
  return (
    <header className={classes.header}>
      <div className={classes.line}>
        <Link {...list.address} onClick={list.onClick} className={classes.back} aria-label="Back to the issues">
          <ArrowLeft size="1em" aria-hidden />
        </Link>
        <span className={classes.id}>
          <span className="mono">{issue.short_id}</span>
          <CopyButton text={issue.short_id} label="Copy the short id" />
        </span>
        <Level level={issue.level} />
        <Standing status={issue.status} substatus={issue.substatus} />
        <Until issue={issue} />
      </div>
      <div className={classes.top}>
        <div className={classes.title}>
          {issue.type !== "" && (
            <p className={classes.type}>
              <Line text={issue.type} />
            </p>
          )}
          {issue.message !== "" && (
            <p className={classes.message}>
              <LongText text={issue.message} key={issue.id} />
            </p>
          )}
          {issue.culprit !== "" && (
            <p className={classes.culprit}>
              <Line text={issue.culprit} mono />
            </p>
          )}
        </div>
        <Facts issue={issue} />
      </div>
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
