import { createRoute } from "@tanstack/react-router";
import { issueSearchOf } from "../../issue-search/address.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { projectRoute } from "../../routes/project.ts";

export const issuesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/issues",
  validateSearch: issueSearchOf,
  component: lazyPage(() => import("./IssuesPage.tsx")),
});
