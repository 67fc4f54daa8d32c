// The tree of all routes, and the router made from it. Each page has its own `route.ts`: address, search parameters and
// the component, which is loaded when the page is opened.

import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { Crash } from "./errors/Crash.tsx";
import { NotFound } from "./errors/Missing.tsx";
import { accountRoute, accountSectionRoute, notificationPreferencesRoute } from "./pages/account/route.ts";
import { automationRoute, automationsRoute, automationsSummaryRoute } from "./pages/automations/route.ts";
import { instanceRoute, instanceSectionRoute } from "./pages/instance/route.ts";
import { issueRoute } from "./pages/issue/route.ts";
import { issuesRoute } from "./pages/issues/route.ts";
import { loginRoute } from "./pages/login/route.ts";
import { logsRoute } from "./pages/logs/route.ts";
import { inboxRoute } from "./pages/notifications/route.ts";
import { newOrganizationRoute, organizationHomeRoute, organizationSectionRoute } from "./pages/organization/route.ts";
import { confirmEmailRoute, forgotPasswordRoute, resetPasswordRoute } from "./pages/password/route.ts";
import { newProjectRoute } from "./pages/projects/route.ts";
import { registerRoute } from "./pages/register/route.ts";
import { compareRoute, releaseRoute, releasesRoute } from "./pages/releases/route.ts";
import { replayRoute } from "./pages/replay/route.ts";
import { replaysRoute } from "./pages/replays/route.ts";
import { repositoriesRoute } from "./pages/repositories/route.ts";
import { runnersRoute } from "./pages/runners/route.ts";
import { agentSessionRoute, agentSessionsRoute } from "./pages/sessions/route.ts";
import { settingsRoute, settingsSectionRoute } from "./pages/settings/route.ts";
import { setupRoute } from "./pages/setup/route.ts";
import { startRoute } from "./pages/start/route.ts";
import { traceRoute } from "./pages/trace/route.ts";
import { automateRoute } from "./routes/automate.ts";
import { homeRoute, insideRoute } from "./routes/inside.ts";
import { keepPlace } from "./routes/keep-place.ts";
import { organizationRoute } from "./routes/organization.ts";
import { projectHomeRoute, projectRoute } from "./routes/project.ts";
import { rootRoute } from "./routes/root.ts";
import { PendingPage } from "./ui/States.tsx";

const tree = rootRoute.addChildren([
  setupRoute,
  loginRoute,
  registerRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  confirmEmailRoute,
  insideRoute.addChildren([
    homeRoute,
    newProjectRoute,
    accountRoute,
    accountSectionRoute,
    inboxRoute,
    notificationPreferencesRoute,
    newOrganizationRoute,
    instanceRoute,
    instanceSectionRoute,
    organizationRoute.addChildren([organizationHomeRoute, organizationSectionRoute]),
    automateRoute.addChildren([
      automationsRoute,
      automationsSummaryRoute,
      automationRoute,
      agentSessionsRoute,
      agentSessionRoute,
      repositoriesRoute,
      runnersRoute,
    ]),
    projectRoute.addChildren([
      projectHomeRoute,
      startRoute,
      issuesRoute,
      issueRoute,
      logsRoute,
      traceRoute,
      replaysRoute,
      replayRoute,
      releasesRoute,
      releaseRoute,
      compareRoute,
      settingsRoute.addChildren([settingsSectionRoute]),
    ]),
  ]),
]);

export function makeRouter(cache: QueryClient) {
  const router = createRouter({
    routeTree: tree,
    context: { cache },
    defaultErrorComponent: Crash,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: PendingPage,
    defaultPendingMs: 200,
    defaultPendingMinMs: 0,
    // The scripts of a page are loaded when somebody points at a link to it.
    defaultPreload: "intent",
    scrollRestoration: true,
    // Query parameters are texts: `123` does not become a number.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined);
      const words = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
      return words === "" ? "" : `?${words}`;
    },
  });
  keepPlace(router);
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
