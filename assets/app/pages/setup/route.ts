import { createRoute } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { rootRoute } from "../../routes/root.ts";
import { flowErrorOf } from "../../search-params.ts";

export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.setup,
  validateSearch: flowErrorOf,
  component: lazyPage(() => import("./SetupPage.tsx")),
});
