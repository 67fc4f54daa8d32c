import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../routes/project.ts";
import { type Search, textOf } from "../../routes/search.ts";

export const releasesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/releases",
  /** `query`: a part of the version. */
  validateSearch: (search: Search): { query?: string } => {
    const query = textOf(search.query);
    return query === undefined ? {} : { query };
  },
  component: lazyRouteComponent(() => import("./ReleasesPage.tsx")),
});

export const releaseRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/releases/$version",
  component: lazyRouteComponent(() => import("./ReleasePage.tsx")),
});
