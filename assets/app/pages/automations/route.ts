import { createRoute } from "@tanstack/react-router";
import { automateRoute } from "../../routes/automate.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { type Search, textOf } from "../../search-params.ts";

/** The periods of the summary; the default is 30 days. */
export const summaryDays = [7, 30, 90] as const;
type SummaryDays = (typeof summaryDays)[number];

export const automationsRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/automations",
  component: lazyPage(() => import("./AutomationsPage.tsx")),
});

export const automationsSummaryRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/automations/summary",
  validateSearch: (search: Search): { days?: SummaryDays | undefined } => ({
    days: summaryDays.find((days) => String(days) === textOf(search.days) && days !== 30),
  }),
  component: lazyPage(() => import("./SummaryPage.tsx")),
});

export const automationRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/automations/$automationId",
  component: lazyPage(() => import("./AutomationPage.tsx")),
});
