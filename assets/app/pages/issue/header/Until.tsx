import type { ReactNode } from "react";
import type { Issue } from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import classes from "./Header.module.css";

/** What brings a resolved or ignored issue back. */
export function Until({ issue }: { issue: Issue }) {
  const words = wordsFor(issue);
  return words ? <span className={classes.until}>{words}</span> : null;
}

function wordsFor(issue: Issue): ReactNode {
  const { resolved_in_release: release } = issue;
  if (issue.status === "resolved" && release !== null) {
    return release === "next" ? (
      "in the next release"
    ) : (
      <>
        in <Line text={release} />
      </>
    );
  }
  if (issue.status !== "ignored") return null;
  if (issue.ignore_until !== null)
    return (
      <>
        comes back <Time at={issue.ignore_until} />
      </>
    );
  if (issue.ignore_events !== null)
    return `comes back after ${counted(Math.max(0, issue.ignore_events - issue.event_count), "more event", "more events")}`;
  if (issue.ignore_users !== null)
    return `comes back after ${counted(Math.max(0, issue.ignore_users - issue.user_count), "more user", "more users")}`;
  return "for ever";
}
