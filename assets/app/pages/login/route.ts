import { createRoute } from "@tanstack/react-router";
import { localPath, paths } from "../../paths.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { rootRoute } from "../../routes/root.ts";
import { type FlowError, flowErrorOf, type Search } from "../../search-params.ts";

interface LoginSearch extends FlowError {
  /** Where to go after the sign-in. */
  next?: string;
}

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.login,
  validateSearch: (search: Search): LoginSearch => ({
    ...(search.next === undefined ? {} : { next: localPath(search.next) }),
    ...flowErrorOf(search),
  }),
  component: lazyPage(() => import("./LoginPage.tsx")),
});
