import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../routes/project.ts";

export const traceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/traces/$traceId",
  component: lazyRouteComponent(() => import("./TracePage.tsx")),
});
