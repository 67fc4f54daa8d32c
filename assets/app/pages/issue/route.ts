import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { numberParam } from "../../routes/params.ts";
import { projectRoute } from "../../routes/project.ts";
import { eventSearchOf } from "./address.ts";

/** Fetches the page's code. */
export const loadIssuePage = () => import("./IssuePage.tsx");

export const issueRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/issues/$issueId",
  params: numberParam("issueId"),
  validateSearch: eventSearchOf,
  component: lazyRouteComponent(loadIssuePage),
});
