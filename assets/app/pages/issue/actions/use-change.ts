import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ok } from "../../../api/client.ts";
import { issueKeys } from "../../../api/queries.ts";
import type { Change, ShownIssue } from "../../../api/schema.d.ts";
import { recountViews } from "../../../issue-search/recount.ts";
import { done, problem } from "../../../ui/notify.ts";
import { type Place, issueQuery } from "../queries.ts";
import { changeWords, foresee, kindOf, undoing } from "./restore.ts";

interface Wanted {
  change: Change;
  /** The new assignee's name, for the message. */
  name?: string;
  /** Whether the change is an undo, which offers no undo itself. */
  isUndo?: boolean;
}

/**
 * A second change of the same kind within this time, while the first is pending, is a double click; in milliseconds.
 */
const doubleClick = 500;

/**
 * Changes the issue: shows the change at once, reverts it if the server refuses, and offers to undo it. Changes are
 * sent one after the other, in the order in which they were made.
 */
export function useChange(place: Place): DoChange {
  const cache = useQueryClient();
  const { queryKey } = issueQuery(place);
  const path = { project_id: place.project, issue_id: place.issue };
  const mutationKey = ["change", place.project, place.issue];
  // The answer to an earlier change must not replace what a later change already shows.
  const isLast = () => cache.isMutating({ mutationKey }) <= 1;
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(" ") },
    mutationFn: ({ change: body }: Wanted) =>
      ok(api.PATCH("/api/v1/projects/{project_id}/issues/{issue_id}", { params: { path }, body })),
    onMutate: async ({ change: body }: Wanted) => {
      await cache.cancelQueries({ queryKey });
      const before = cache.getQueryData<ShownIssue>(queryKey);
      if (before) cache.setQueryData<ShownIssue>(queryKey, { ...before, ...foresee(before, body) });
      return { before };
    },
    onError: (error, _wanted, context) => {
      if (context?.before) cache.setQueryData(queryKey, context.before);
      problem("The issue could not be changed", error);
    },
    onSuccess: (issue, { change: body, name, isUndo }, { before }) => {
      if (isLast()) cache.setQueryData(queryKey, issue);
      if (isUndo || !before) return;
      const back = undoing(before, body);
      done(changeWords(body, name), () => run({ change: back, isUndo: true }));
    },
    onSettled: () => {
      if (!isLast()) return;
      void cache.invalidateQueries({ queryKey: issueKeys.lists(place.project) });
      void cache.invalidateQueries({ queryKey: issueKeys.one(place.project, place.issue) });
      recountViews(cache, place.project);
    },
  });
  const run = (wanted: Wanted) => {
    const kind = kindOf(wanted.change);
    const since = Date.now() - doubleClick;
    const twice = cache.isMutating({
      mutationKey,
      predicate: ({ state }) => kindOf((state.variables as Wanted).change) === kind && state.submittedAt > since,
    });
    if (twice === 0) mutate(wanted);
  };
  return (change, name) => run({ change, ...(name === undefined ? {} : { name }) });
}

export type DoChange = (change: Change, name?: string) => void;
