import { createRoute } from "@tanstack/react-router";
import { organizationSections, paths } from "../../paths.ts";
import { insideRoute } from "../../routes/inside.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { organizationRoute } from "../../routes/organization.ts";
import { sectionParam } from "../../routes/params.ts";
import { idOf, type Search, textOf } from "../../search-params.ts";

/** What the pages of an organization show: a test sign-in that came back, a part of the audit log. */
export interface OrganizationSearch {
  test?: number | undefined;
  action?: string | undefined;
  actor?: string | undefined;
  /** The error after returning from the code host. */
  error?: string | undefined;
}

const OrganizationPage = lazyPage(() => import("./OrganizationPage.tsx"));

export const organizationHomeRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/",
  component: OrganizationPage,
});

export const organizationSectionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/$section",
  params: sectionParam(organizationSections),
  validateSearch: (search: Search): OrganizationSearch => ({
    test: idOf(search.test),
    action: textOf(search.action),
    actor: textOf(search.actor),
    error: textOf(search.error),
  }),
  component: OrganizationPage,
});

export const newOrganizationRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: paths.newOrganization,
  component: lazyPage(() => import("./NewOrganizationPage.tsx")),
});
