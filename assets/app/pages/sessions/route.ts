import { createRoute } from "@tanstack/react-router";
import type { SessionStatus } from "../../api/schema.d.ts";
import { automateRoute } from "../../routes/automate.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { type Search, textOf } from "../../search-params.ts";

const statuses = ["starting", "running", "paused", "suspended", "stopped", "failed"] as const;

/** The filters, as the address has them. */
export interface SessionsSearch {
  status?: SessionStatus | undefined;
  /** The id of an automation. */
  automation?: string | undefined;
}

export const agentSessionsRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/sessions",
  validateSearch: (search: Search): SessionsSearch => ({
    status: statuses.find((status) => status === search.status),
    automation: textOf(search.automation),
  }),
  component: lazyPage(() => import("./SessionsPage.tsx")),
});

export const agentSessionRoute = createRoute({
  getParentRoute: () => automateRoute,
  path: "/sessions/$sessionId",
  component: lazyPage(() => import("./SessionPage.tsx")),
});
