import { createRoute } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { rootRoute } from "../../routes/root.ts";

export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.forgotPassword,
  component: lazyPage(() => import("./ForgotPage.tsx")),
});

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.resetPassword,
  component: lazyPage(() => import("./ResetPage.tsx")),
});

export const confirmEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.confirmEmail,
  component: lazyPage(() => import("./ConfirmPage.tsx")),
});
