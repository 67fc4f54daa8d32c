import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../routes/project.ts";
import { logSearch } from "./address.ts";

export const logsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/logs",
  validateSearch: logSearch,
  component: lazyRouteComponent(() => import("./LogsPage.tsx")),
});
