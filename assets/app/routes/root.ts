import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { Crash } from "../pages/errors/Crash.tsx";
import { UnknownAddress } from "../pages/errors/UnknownAddress.tsx";

interface Context {
  cache: QueryClient;
}

export const rootRoute = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: UnknownAddress,
  errorComponent: Crash,
});
