import type { Change, Issue } from "../../../api/schema.d.ts";

/** Which of an issue's settings a change is about. */
export const kindOf = (change: Change): "status" | "priority" | "assignee" =>
  change.status ? "status" : change.priority ? "priority" : "assignee";

/** The issue as the server will answer with it, before it does. */
export function foresee(issue: Issue, change: Change): Issue {
  const next: Issue = { ...issue };
  if (change.priority) next.priority = change.priority;
  if (change.status) {
    next.status = change.status;
    next.substatus = change.status === "unresolved" ? (issue.substatus ?? "ongoing") : null;
    next.resolved_in_release = change.resolved_in_release ?? null;
    next.ignore_until = change.ignore_until ?? null;
    next.ignore_events = change.ignore_events == null ? null : issue.event_count + change.ignore_events;
    next.ignore_users = change.ignore_users == null ? null : issue.user_count + change.ignore_users;
  }
  if (change.assignee === null) next.assignee = null;
  return next;
}

/** The change that undoes what `change` did to `issue`. */
export function undoing(issue: Issue, change: Change): Change {
  const back: Change = {};
  if (change.priority) back.priority = issue.priority;
  if (change.assignee !== undefined) back.assignee = issue.assignee?.id ?? null;
  if (change.status) Object.assign(back, standing(issue));
  return back;
}

/** Limits are stored as totals and sent as additional events or users. */
function standing(issue: Issue): Change {
  const back: Change = { status: issue.status };
  if (issue.status === "resolved" && issue.resolved_in_release !== null)
    back.resolved_in_release = issue.resolved_in_release;
  if (issue.status !== "ignored") return back;
  if (issue.ignore_until !== null) back.ignore_until = issue.ignore_until;
  if (issue.ignore_events !== null) back.ignore_events = Math.max(1, issue.ignore_events - issue.event_count);
  if (issue.ignore_users !== null) back.ignore_users = Math.max(1, issue.ignore_users - issue.user_count);
  return back;
}

/** A description of the change, for the message. */
export function changeWords(change: Change, assignee?: string): string {
  if (change.status === "resolved") {
    const release = change.resolved_in_release;
    return release ? `Resolved in ${release === "next" ? "the next release" : release}` : "Resolved";
  }
  if (change.status === "ignored") return "Ignored";
  if (change.status === "unresolved") return "Reopened";
  if (change.priority) return `Priority: ${change.priority}`;
  return change.assignee == null ? "Unassigned" : `Assigned to ${assignee ?? "a member"}`;
}
