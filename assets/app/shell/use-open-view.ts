import { useLocation } from "@tanstack/react-router";
import { askedOf, type IssueSearch, wholeOf } from "../pages/issues/address.ts";
import { givenViews, type SavedView, shownView, useViews } from "../pages/issues/views.ts";
import { limitsOf } from "../pages/lists/limits.ts";
import { paths } from "../paths.ts";
import { useCarried } from "./use-carried.ts";

/** The saved view that the list of issues shows. */
export function useOpenView(project: number): SavedView | undefined {
  const views = useViews(project);
  const limits = limitsOf(useCarried("issues"));
  const query = useLocation({
    select: ({ pathname, search }) =>
      pathname === paths.issues(project) ? wholeOf(askedOf(search as IssueSearch)) : undefined,
  });
  return query === undefined ? undefined : shownView([...views, ...givenViews], query, limits);
}
