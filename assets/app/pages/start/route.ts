import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../routes/lazy-page.ts";
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
  component: lazyPage(() => import("./StartPage.tsx")),
});
