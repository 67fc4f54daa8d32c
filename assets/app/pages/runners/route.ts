import { createRoute } from "@tanstack/react-router";
import { automateRoute } from "../../routes/automate.ts";
import { lazyPage } from "../../routes/lazy-page.ts";

export const runnersRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/runners",
  component: lazyPage(() => import("./RunnersPage.tsx")),
});
