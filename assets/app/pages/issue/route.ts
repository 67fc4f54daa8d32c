import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { numberParam } from "../../routes/params.ts";
import { projectRoute } from "../../routes/project.ts";
import { type Search, textOf } from "../../routes/search.ts";
import { type IssueSearch, issueSearchOf } from "../issues/address.ts";

/** Fetches the page's code. */
export const loadIssuePage = () => import("./IssuePage.tsx");

/**
 * Which event of an issue is shown (the latest when missing), which of them are listed (`release:1.4.2`), and the
 * list of issues that it was opened from.
 */
interface EventSearch extends IssueSearch {
  event?: string | undefined;
  facet?: string | undefined;
}

export const issueRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/issues/$issueId",
  params: numberParam("issueId"),
  validateSearch: (search: Search): EventSearch => ({
    event: textOf(search.event),
    facet: textOf(search.facet),
    ...issueSearchOf(search),
  }),
  component: lazyRouteComponent(loadIssuePage),
});
