import { createRoute } from "@tanstack/react-router";
import { insideRoute } from "./inside.ts";
import { numberParam } from "./params.ts";

/** Around the pages of an organization's automations: what agents do, where and on which machines. */
export const automateRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/organizations/$organizationId",
  params: numberParam("organizationId"),
});
