import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { rootRoute } from "../../routes/root.ts";

export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.forgotPassword,
  component: lazyRouteComponent(() => import("./ForgotPage.tsx")),
});

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.resetPassword,
  component: lazyRouteComponent(() => import("./ResetPage.tsx")),
});

export const confirmEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.confirmEmail,
  component: lazyRouteComponent(() => import("./ConfirmPage.tsx")),
});
