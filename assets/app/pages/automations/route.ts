import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { automateRoute } from "../../routes/automate.ts";

export const automationsRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/automations",
  component: lazyRouteComponent(() => import("./AutomationsPage.tsx")),
});

export const automationsSummaryRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/automations/summary",
  component: lazyRouteComponent(() => import("./SummaryPage.tsx")),
});

export const automationRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/automations/$automationId",
  component: lazyRouteComponent(() => import("./AutomationPage.tsx")),
});
