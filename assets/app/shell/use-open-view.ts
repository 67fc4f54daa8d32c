import { useLocation } from "@tanstack/react-router";
import { askedOf, type IssueSearch, partsOf, wholeOf } from "../issue-search/address.ts";
import { givenViews, type SavedView, useViews } from "../issue-search/views.ts";
import { paths } from "../paths.ts";

/** The saved view that the list of issues shows. */
export function useOpenView(project: number): SavedView | undefined {
  const views = useViews(project);
  const query = useLocation({
    select: ({ pathname, search }) =>
      pathname === paths.issues(project) ? wholeOf(askedOf(search as IssueSearch)) : undefined,
  });
  return [...views, ...givenViews].find((view) => wholeOf(partsOf(view.query)) === query);
}
