import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../routes/lazy-page.ts";
import { projectRoute } from "../../routes/project.ts";
import { logSearch } from "./address.ts";

export const logsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/logs",
  validateSearch: logSearch,
  component: lazyPage(() => import("./LogsPage.tsx")),
});
