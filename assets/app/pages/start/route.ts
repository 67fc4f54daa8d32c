import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../routes/project.ts";
import { type Search, textOf } from "../../search-params.ts";

export const startRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/start",
  /** `sdk`: whose snippet is shown (`first-steps/sdks.ts`). */
  validateSearch: (search: Search): { sdk?: string } => {
    const sdk = textOf(search.sdk);
    return sdk === undefined ? {} : { sdk };
  },
  component: lazyRouteComponent(() => import("./StartPage.tsx")),
});
