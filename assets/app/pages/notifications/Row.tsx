import { ActionIcon } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Archive, Check } from "lucide-react";
import type { Notification } from "../../api/schema.d.ts";
import { localPath, paths } from "../../paths.ts";
import { CategoryIcon } from "../../ui/CategoryIcon.tsx";
import { Line, Prose } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import type { Acts } from "./acts.ts";
import classes from "./Inbox.module.css";
import type { InboxSearch } from "./route.ts";
import { factsOf, issueOf, linkOf } from "./words.ts";

/**
 * One notification: its text, project, count and time. One about an issue opens in the reading pane; others open
 * their page.
 */
export function Row({
  notification: one,
  atCursor,
  isOpen,
  search,
  act,
  read,
}: {
  notification: Notification;
  atCursor: boolean;
  /** Whether it is open in the reading pane. */
  isOpen: boolean;
  search: InboxSearch;
  act: Acts;
  /** Opens it in the reading pane. */
  read: () => void;
}) {
  const { title, summary, category } = one;
  const isUnread = one.read_at === null;
  const url = linkOf(one);
  const facts = factsOf(one);
  const words = (
    <>
      {isUnread && <span className="unseen">Unread: </span>}
      <Line text={title} />
    </>
  );
  return (
    <li
      className={classes.row}
      data-notification={one.id}
      data-unread={isUnread || undefined}
      data-cursor={atCursor || undefined}
      data-reading={isOpen || undefined}
    >
      <span className={classes.icon}>
        <CategoryIcon of={one} />
      </span>
      <div className={classes.what}>
        {issueOf(one) ? (
          <Link
            to={paths.notifications}
            search={{ ...search, open: one.id }}
            // All opened notifications share one history entry.
            replace={search.open !== undefined}
            onClick={read}
            className={classes.link ?? ""}
            aria-current={isOpen ? "true" : undefined}
          >
            {words}
          </Link>
        ) : (
          <Link to={localPath(one.action_url)} onClick={() => act.open(one)} className={classes.link ?? ""}>
            {words}
          </Link>
        )}
        {summary !== "" && (
          // An announcement is shown in full, because it is shown nowhere else.
          <div className={classes.summary}>
            {category === "system" ? <Prose text={summary} /> : <Line text={summary} />}
          </div>
        )}
        {url !== undefined && (
          <a href={url} target="_blank" rel="noreferrer" className={classes.above}>
            Read more<span className="unseen"> (opens a new tab)</span>
          </a>
        )}
      </div>
      <span className={classes.facts}>
        {facts.map((fact) => (
          <span key={fact} className="number">
            {fact}
          </span>
        ))}
      </span>
      <span className={classes.when}>
        <Time at={one.created_at} />
      </span>
      <span className={classes.acts}>
        {isUnread && (
          <ActionIcon aria-label={`Mark as read: ${title}`} data-tip="Mark as read" onClick={() => act.read(one)}>
            <Check size="1rem" aria-hidden />
          </ActionIcon>
        )}
        {one.archived_at === null && (
          <ActionIcon aria-label={`Archive: ${title}`} data-tip="Archive" onClick={() => act.archive(one)}>
            <Archive size="1rem" aria-hidden />
          </ActionIcon>
        )}
      </span>
    </li>
  );
}
