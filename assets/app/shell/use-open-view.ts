import { useLocation } from "@tanstack/react-router";
import { givenViews, type SavedView, useViews } from "../pages/issues/views.ts";
import { paths } from "../paths.ts";

/** The saved view that the list of issues shows. */
export function useOpenView(project: number): SavedView | undefined {
  const views = useViews(project);
  const query = useLocation({
    select: ({ pathname, search }) =>
      pathname === paths.issues(project) ? (search as { query?: string }).query : undefined,
  });
  return query === undefined ? undefined : [...views, ...givenViews].find((view) => view.query === query);
}
