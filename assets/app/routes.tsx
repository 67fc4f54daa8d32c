// Every page and its address. Pages are loaded when they are opened first; the shell and the list of
// issues are what a person waits for.

import type { QueryClient } from "@tanstack/react-query";
import {
  Outlet,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import { hasMany, setupQuery } from "./api/instance.ts";
import { meQuery, organizationsQuery, projectsQuery } from "./api/queries.ts";
import { accountSections, localPath, organizationSections, paths, settingsSections } from "./paths.ts";
import { Crash } from "./pages/errors/Crash.tsx";
import { Lost } from "./pages/errors/Lost.tsx";
import { NotFound } from "./pages/errors/Missing.tsx";
import { logSearch } from "./pages/logs/address.ts";
import { lastProject } from "./pages/projects/last.ts";
import { ProjectFrame } from "./pages/projects/ProjectFrame.tsx";
import { Shell } from "./shell/Shell.tsx";
import { PendingPage } from "./ui/States.tsx";

interface Context {
  cache: QueryClient;
}

const text = (value: unknown): string | undefined => (value === undefined || value === "" ? undefined : String(value));
const id = (value: unknown): number | undefined => (/^\d{1,15}$/.test(text(value) ?? "") ? Number(value) : undefined);

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: Lost,
  errorComponent: Crash,
});

/** What failed on the way through a provider, as the server names it. */
interface Came {
  error?: string;
}
const came = (search: Record<string, unknown>): Came => {
  const error = text(search.error);
  return error === undefined ? {} : { error };
};

const setup = createRoute({
  getParentRoute: () => root,
  path: paths.setup,
  validateSearch: came,
  component: lazyRouteComponent(() => import("./pages/setup/SetupPage.tsx")),
});

const login = createRoute({
  getParentRoute: () => root,
  path: paths.login,
  validateSearch: (search): { next?: string } & Came => ({
    ...(search.next === undefined ? {} : { next: localPath(search.next) }),
    ...came(search),
  }),
  component: lazyRouteComponent(() => import("./pages/login/LoginPage.tsx")),
});

const register = createRoute({
  getParentRoute: () => root,
  path: paths.register,
  validateSearch: (search): { token?: string } => {
    const token = text(search.token);
    return token === undefined ? {} : { token };
  },
  component: lazyRouteComponent(() => import("./pages/register/RegisterPage.tsx")),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: paths.forgotPassword,
  component: lazyRouteComponent(() => import("./pages/password/ForgotPage.tsx")),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: paths.resetPassword,
  component: lazyRouteComponent(() => import("./pages/password/ResetPage.tsx")),
});

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: paths.confirmEmail,
  component: lazyRouteComponent(() => import("./pages/password/ConfirmPage.tsx")),
});

/** Everything for people who are signed in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: async ({ context, location }) => {
    const me = await context.cache.ensureQueryData(meQuery);
    if (!me) throw redirect({ to: paths.login, search: location.href === paths.home ? {} : { next: location.href } });
  },
  component: Shell,
});

const home = createRoute({
  getParentRoute: () => inside,
  path: paths.home,
  beforeLoad: async ({ context }) => {
    const projects = await context.cache.ensureQueryData(projectsQuery);
    const project = projects.find(({ id }) => id === lastProject()) ?? projects[0];
    throw redirect({ href: project ? paths.issues(project.id) : await firstStep(context.cache), replace: true });
  },
});

/** Where somebody without a project begins: with an organization where they may make one, else with a project. */
async function firstStep(cache: QueryClient): Promise<string> {
  const organizations = await cache.ensureQueryData(organizationsQuery);
  if (organizations.length > 0) return paths.newProject;
  const many = await cache.ensureQueryData(setupQuery).then(hasMany, () => false);
  return many ? paths.newOrganization : paths.newProject;
}

const newProject = createRoute({
  getParentRoute: () => inside,
  path: paths.newProject,
  /** `organization`: the one that the form begins with. */
  validateSearch: (search): { organization?: number } => {
    const organization = id(search.organization);
    return organization === undefined ? {} : { organization };
  },
  component: lazyRouteComponent(() => import("./pages/projects/NewProjectPage.tsx")),
});

const AccountPage = lazyRouteComponent(() => import("./pages/account/AccountPage.tsx"));
const account = createRoute({
  getParentRoute: () => inside,
  path: "/account",
  validateSearch: came,
  component: AccountPage,
});
const accountSection = createRoute({
  getParentRoute: () => inside,
  path: "/account/$section",
  params: oneOf(accountSections),
  component: AccountPage,
});

const newOrganization = createRoute({
  getParentRoute: () => inside,
  path: paths.newOrganization,
  component: lazyRouteComponent(() => import("./pages/organization/NewOrganizationPage.tsx")),
});

const organization = createRoute({
  getParentRoute: () => inside,
  path: "/organizations/$organizationId/settings",
  params: {
    parse: ({ organizationId }) => ({ organizationId: wholeNumber(organizationId) }),
    stringify: ({ organizationId }) => ({ organizationId: String(organizationId) }),
  },
});

/** What the pages of an organization show: a test sign-in that came back, a part of the audit log. */
export interface OrganizationSearch {
  test?: number | undefined;
  action?: string | undefined;
  actor?: string | undefined;
}
const organizationSearch = (search: Record<string, unknown>): OrganizationSearch => ({
  test: id(search.test),
  action: text(search.action),
  actor: text(search.actor),
});
const OrganizationPage = lazyRouteComponent(() => import("./pages/organization/OrganizationPage.tsx"));
const organizationHome = createRoute({ getParentRoute: () => organization, path: "/", component: OrganizationPage });
const organizationSection = createRoute({
  getParentRoute: () => organization,
  path: "/$section",
  params: oneOf(organizationSections),
  validateSearch: organizationSearch,
  component: OrganizationPage,
});

const project = createRoute({
  getParentRoute: () => inside,
  path: "/projects/$projectId",
  params: {
    parse: ({ projectId }) => ({ projectId: wholeNumber(projectId) }),
    stringify: ({ projectId }) => ({ projectId: String(projectId) }),
  },
  component: ProjectFrame,
});

const projectHome = createRoute({
  getParentRoute: () => project,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ href: paths.issues(params.projectId), replace: true });
  },
});

const start = createRoute({
  getParentRoute: () => project,
  path: "/start",
  validateSearch: (search): { sdk?: string } => {
    const sdk = text(search.sdk);
    return sdk === undefined ? {} : { sdk };
  },
  component: lazyRouteComponent(() => import("./pages/start/StartPage.tsx")),
});

/** What the list of issues shows, all of it in the address. */
export interface IssueSearch {
  query?: string | undefined;
  sort?: "first_seen" | "events" | "users" | undefined;
}

const issues = createRoute({
  getParentRoute: () => project,
  path: "/issues",
  validateSearch: (search): IssueSearch => {
    const query = search.query === undefined ? undefined : String(search.query);
    const sort = (["first_seen", "events", "users"] as const).find((name) => name === search.sort);
    // Said even where it is nothing: what stands in the address is merged in otherwise.
    return { query, sort };
  },
  component: lazyRouteComponent(() => import("./pages/issues/IssuesPage.tsx")),
});

const issue = createRoute({
  getParentRoute: () => project,
  path: "/issues/$issueId",
  params: {
    parse: ({ issueId }) => ({ issueId: wholeNumber(issueId) }),
    stringify: ({ issueId }) => ({ issueId: String(issueId) }),
  },
  validateSearch: (search): { event?: string } => {
    const event = text(search.event);
    return event === undefined ? {} : { event };
  },
  component: lazyRouteComponent(() => import("./pages/issue/IssuePage.tsx")),
});

const logs = createRoute({
  getParentRoute: () => project,
  path: "/logs",
  validateSearch: logSearch,
  component: lazyRouteComponent(() => import("./pages/logs/LogsPage.tsx")),
});

const releases = createRoute({
  getParentRoute: () => project,
  path: "/releases",
  validateSearch: (search): { query?: string } => {
    const query = text(search.query);
    return query === undefined ? {} : { query };
  },
  component: lazyRouteComponent(() => import("./pages/releases/ReleasesPage.tsx")),
});

const release = createRoute({
  getParentRoute: () => project,
  path: "/releases/$version",
  component: lazyRouteComponent(() => import("./pages/releases/ReleasePage.tsx")),
});

const settings = createRoute({
  getParentRoute: () => project,
  path: "/settings",
  beforeLoad: ({ params, location }) => {
    if (/\/settings\/?$/.test(location.pathname))
      throw redirect({ href: paths.settings(params.projectId), replace: true });
  },
});

const settingsSection = createRoute({
  getParentRoute: () => settings,
  path: "/$section",
  params: oneOf(settingsSections),
  component: lazyRouteComponent(() => import("./pages/settings/SettingsPage.tsx")),
});

/** A part of a page by its name; there are no others. */
function oneOf<Section extends string>(sections: readonly Section[]) {
  return {
    parse: ({ section }: { section: string }) => {
      const known = sections.find((name) => name === section);
      if (!known) throw notFound();
      return { section: known };
    },
    stringify: ({ section }: { section: Section }) => ({ section }),
  };
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}

const tree = root.addChildren([
  setup,
  login,
  register,
  forgotPassword,
  resetPassword,
  confirmEmail,
  inside.addChildren([
    home,
    newProject,
    account,
    accountSection,
    newOrganization,
    organization.addChildren([organizationHome, organizationSection]),
    project.addChildren([
      projectHome,
      start,
      issues,
      issue,
      logs,
      releases,
      release,
      settings.addChildren([settingsSection]),
    ]),
  ]),
]);

export function makeRouter(cache: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { cache },
    defaultErrorComponent: Crash,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: PendingPage,
    defaultPendingMs: 200,
    defaultPendingMinMs: 0,
    // The scripts of a page are fetched when somebody points at a link to it.
    defaultPreload: "intent",
    scrollRestoration: true,
    // Values of the address are text: a query of `123` is no number.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined);
      const words = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
      return words === "" ? "" : `?${words}`;
    },
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
