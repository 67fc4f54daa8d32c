import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { Crash } from "../errors/Crash.tsx";
import { UnknownAddress } from "../errors/UnknownAddress.tsx";

interface Context {
  cache: QueryClient;
}

export const rootRoute = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: UnknownAddress,
  errorComponent: Crash,
});
