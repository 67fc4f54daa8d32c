import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../routes/lazy-page.ts";
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
  component: lazyPage(loadIssuePage),
});
