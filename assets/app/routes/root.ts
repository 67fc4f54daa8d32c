import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { Crash } from "../pages/errors/Crash.tsx";
import { Lost } from "../pages/errors/Lost.tsx";

interface Context {
  cache: QueryClient;
}

export const rootRoute = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: Lost,
  errorComponent: Crash,
});
