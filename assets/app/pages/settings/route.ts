import { createRoute, redirect } from "@tanstack/react-router";
import { paths, settingsSections } from "../../paths.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { sectionParam } from "../../routes/params.ts";
import { projectRoute } from "../../routes/project.ts";

export const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/settings",
  beforeLoad: ({ params, location }) => {
    if (/\/settings\/?$/.test(location.pathname))
      throw redirect({ href: paths.settings(params.projectId), replace: true });
  },
});

export const settingsSectionRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/$section",
  params: sectionParam(settingsSections),
  component: lazyPage(() => import("./SettingsPage.tsx")),
});
