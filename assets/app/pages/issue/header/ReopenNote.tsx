import type { ReactNode } from "react";
import type { Issue } from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import classes from "./Header.module.css";

/** When a resolved or ignored issue will be reopened. */
export function ReopenNote({ issue }: { issue: Issue }) {
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
        reopens <Time at={issue.ignore_until} />
      </>
    );
  if (issue.ignore_events !== null)
    return `reopens after ${counted(Math.max(0, issue.ignore_events - issue.event_count), "more event")}`;
  if (issue.ignore_users !== null)
    return `reopens after ${counted(Math.max(0, issue.ignore_users - issue.user_count), "more affected user")}`;
  return "indefinitely";
}
