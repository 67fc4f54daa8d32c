import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { numberParam } from "../../routes/params.ts";
import { projectRoute } from "../../routes/project.ts";
import { type Search, textOf } from "../../routes/search.ts";

export const issueRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/issues/$issueId",
  params: numberParam("issueId"),
  /** `event`: the one that is shown; the latest when missing. */
  validateSearch: (search: Search): { event?: string } => {
    const event = textOf(search.event);
    return event === undefined ? {} : { event };
  },
  component: lazyRouteComponent(() => import("./IssuePage.tsx")),
});
