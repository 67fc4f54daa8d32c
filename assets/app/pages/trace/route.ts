import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../routes/lazy-page.ts";
import { projectRoute } from "../../routes/project.ts";

export const traceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/traces/$traceId",
  component: lazyPage(() => import("./TracePage.tsx")),
});
