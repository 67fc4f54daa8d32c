import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../routes/project.ts";
import { type Search, textOf } from "../../search-params.ts";

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

export const compareRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/releases/$version/compare",
  /** `with`: another version. */
  validateSearch: (search: Search): { with?: string } => {
    const other = textOf(search.with);
    return other === undefined ? {} : { with: other };
  },
  component: lazyRouteComponent(() => import("./ComparePage.tsx")),
});

export const releaseRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/releases/$version",
  component: lazyRouteComponent(() => import("./ReleasePage.tsx")),
});
