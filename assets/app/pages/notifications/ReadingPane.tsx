import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Archive, ArrowLeft, ArrowUpRight } from "lucide-react";
import { type MouseEvent, type RefObject, useEffect, useRef } from "react";
import type { Notification } from "../../api/schema.d.ts";
import { useLatest } from "../../hooks/use-latest.ts";
import { localPath, paths } from "../../paths.ts";
import { Loading } from "../../ui/States.tsx";
import { Prose } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { useComponent } from "../../ui/use-component.ts";
import type { Acts } from "./acts.ts";
import classes from "./Inbox.module.css";
import type { InboxSearch } from "./route.ts";
import { issueOf } from "./words.ts";

const loadIssue = () => import("../issue/IssueReading.tsx");

/** A notification that is shown for this long counts as read, in milliseconds. */
const glance = 400;

interface Props {
  notification: Notification;
  search: InboxSearch;
  act: Acts;
  /** Archives it and opens the next one. */
  archive: () => void;
  /** Opens the next one. */
  goOn: () => Promise<void>;
  /** Goes back to the list. */
  close: () => void;
  /** Whether the keyboard focus moves into the pane. */
  toPane: RefObject<boolean>;
}

/** Shows the subject of a notification without leaving the inbox; on a small screen a separate page. */
export function ReadingPane({ notification: one, search, act, archive, goOn, close, toPane }: Props) {
  const pane = useRef<HTMLElement>(null);
  const read = useLatest(() => act.read(one));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is opened
  useEffect(() => {
    if (toPane.current) pane.current?.focus({ preventScroll: true });
    const timer = setTimeout(() => read.current(), glance);
    return () => clearTimeout(timer);
  }, [one.id]);
  const issue = issueOf(one);
  return (
    <section ref={pane} className={classes.pane} aria-label={one.title} tabIndex={-1} data-pane>
      <div className={classes.bar}>
        <Link
          to={paths.notifications}
          search={{ ...search, open: undefined }}
          onClick={(event) => {
            if (!isPlainClick(event)) return;
            event.preventDefault();
            close();
          }}
          className={classes.back ?? ""}
        >
          <ArrowLeft size="1em" aria-hidden />
          Inbox
        </Link>
        <span className="muted">
          <Time at={one.created_at} />
        </span>
        <span className={classes.paneActs}>
          {one.archived_at === null && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Archive size="1em" aria-hidden />}
              onClick={archive}
            >
              Archive
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            rightSection={<ArrowUpRight size="1em" aria-hidden />}
            renderRoot={(props) => <Link to={localPath(one.action_url)} {...props} onClick={() => act.open(one)} />}
          >
            {issue ? "Open the issue" : "Open"}
          </Button>
        </span>
      </div>
      {issue ? <Issue {...issue} afterRemove={goOn} /> : <NotificationText notification={one} />}
    </section>
  );
}

/** Others open the address elsewhere. */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

function Issue(issue: { project: number; issue: number; afterRemove: () => Promise<void> }) {
  const IssueReading = useComponent(loadIssue, true);
  return IssueReading ? <IssueReading {...issue} key={`${issue.project} ${issue.issue}`} /> : <Loading />;
}

/** The text of a notification that is not about an issue. */
function NotificationText({ notification: { title, summary } }: { notification: Notification }) {
  return (
    <div className={classes.told}>
      <h2>
        <Prose text={title} />
      </h2>
      {summary !== "" && <Prose text={summary} />}
    </div>
  );
}

/** A placeholder while no notification is opened. */
export const NothingOpen = () => (
  <div className={classes.nothingOpen}>
    <p className="muted">Choose a notification of an issue to read it here.</p>
  </div>
);
