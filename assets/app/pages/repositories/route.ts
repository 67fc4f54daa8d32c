import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { automateRoute } from "../../routes/automate.ts";

export const repositoriesRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/repositories",
  component: lazyRouteComponent(() => import("./RepositoriesPage.tsx")),
});
