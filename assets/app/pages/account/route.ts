import { createRoute } from "@tanstack/react-router";
import { accountSections } from "../../paths.ts";
import { insideRoute } from "../../routes/inside.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { sectionParam } from "../../routes/params.ts";
import { flowErrorOf } from "../../search-params.ts";

const AccountPage = lazyPage(() => import("./AccountPage.tsx"));

/** The profile; a provider that was to be linked leads back here. */
export const accountRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account",
  validateSearch: flowErrorOf,
  component: AccountPage,
});

/** Notification preferences. */
export const notificationPreferencesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account/notifications/preferences",
  component: lazyPage(() => import("./PreferencesPage.tsx")),
});

export const accountSectionRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account/$section",
  params: sectionParam(accountSections),
  component: AccountPage,
});
