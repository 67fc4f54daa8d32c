import { createRoute } from "@tanstack/react-router";
import { type Limits, limitsOf } from "../../navigation/limits.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { projectRoute } from "../../routes/project.ts";
import { type Search, textOf } from "../../search-params.ts";

/** What the list of releases shows. All of it is said even where it is nothing, as in the list of issues. */
export interface ReleaseSearch extends Limits {
  /** A part of the version. */
  query?: string | undefined;
}

export const releasesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/releases",
  validateSearch: (search: Search): ReleaseSearch => ({ query: textOf(search.query), ...limitsOf(search) }),
  component: lazyPage(() => import("./ReleasesPage.tsx")),
});

export const compareRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/releases/$version/compare",
  /** `with`: another version. */
  validateSearch: (search: Search): { with?: string } => {
    const other = textOf(search.with);
    return other === undefined ? {} : { with: other };
  },
  component: lazyPage(() => import("./ComparePage.tsx")),
});

export const releaseRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/releases/$version",
  component: lazyPage(() => import("./ReleasePage.tsx")),
});
