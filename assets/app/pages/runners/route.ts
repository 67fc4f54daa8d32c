import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { automateRoute } from "../../routes/automate.ts";

export const runnersRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/runners",
  component: lazyRouteComponent(() => import("./RunnersPage.tsx")),
});
