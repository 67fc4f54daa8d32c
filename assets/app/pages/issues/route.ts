import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { issueSearchOf } from "../../issue-search/address.ts";
import { projectRoute } from "../../routes/project.ts";

export const issuesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/issues",
  validateSearch: issueSearchOf,
  component: lazyRouteComponent(() => import("./IssuesPage.tsx")),
});
