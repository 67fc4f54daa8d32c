import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../routes/project.ts";
import type { Search } from "../../routes/search.ts";

const sorts = ["first_seen", "events", "users"] as const;

/** What the list of issues shows, all of it in the address. */
export interface IssueSearch {
  query?: string | undefined;
  sort?: (typeof sorts)[number] | undefined;
}

export const issuesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/issues",
  validateSearch: (search: Search): IssueSearch => ({
    // Both are said even where they are nothing: what stands in the address is merged in otherwise.
    query: search.query === undefined ? undefined : String(search.query),
    sort: sorts.find((name) => name === search.sort),
  }),
  component: lazyRouteComponent(() => import("./IssuesPage.tsx")),
});
