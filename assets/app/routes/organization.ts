import { createRoute } from "@tanstack/react-router";
import { insideRoute } from "./inside.ts";
import { numberParam } from "./params.ts";

/** Around every page of an organization. */
export const organizationRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/organizations/$organizationId/settings",
  params: numberParam("organizationId"),
});
