import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../routes/project.ts";
import { issueSearchOf } from "./address.ts";

export const issuesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/issues",
  validateSearch: issueSearchOf,
  component: lazyRouteComponent(() => import("./IssuesPage.tsx")),
});
