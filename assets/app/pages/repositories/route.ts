import { createRoute } from "@tanstack/react-router";
import { automateRoute } from "../../routes/automate.ts";
import { lazyPage } from "../../routes/lazy-page.ts";

export const repositoriesRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/repositories",
  component: lazyPage(() => import("./RepositoriesPage.tsx")),
});
