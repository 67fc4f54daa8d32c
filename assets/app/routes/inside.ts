import type { QueryClient } from "@tanstack/react-query";
import { createRoute, redirect } from "@tanstack/react-router";
import { hasMany, setupQuery } from "../api/instance.ts";
import { meQuery, organizationsQuery, projectsQuery } from "../api/queries.ts";
import { lastProject } from "../navigation/last-project.ts";
import { paths } from "../paths.ts";
import { Shell } from "../shell/Shell.tsx";
import { rootRoute } from "./root.ts";

/** Around every page for people who are signed in. */
export const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "inside",
  beforeLoad: async ({ context, location }) => {
    const me = await context.cache.ensureQueryData(meQuery);
    if (!me) throw redirect({ to: paths.login, search: location.href === paths.home ? {} : { next: location.href } });
  },
  component: Shell,
});

/** Opens the last open project. */
export const homeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: paths.home,
  beforeLoad: async ({ context }) => {
    const projects = await context.cache.ensureQueryData(projectsQuery);
    const project = projects.find(({ id }) => id === lastProject()) ?? projects[0];
    throw redirect({ href: project ? paths.issues(project.id) : await firstStep(context.cache), replace: true });
  },
});

/** Where somebody without a project starts: at creating an organization if they may, else at creating a project. */
async function firstStep(cache: QueryClient): Promise<string> {
  const organizations = await cache.ensureQueryData(organizationsQuery);
  if (organizations.length > 0) return paths.newProject;
  const many = await cache.ensureQueryData(setupQuery).then(hasMany, () => false);
  return many ? paths.newOrganization : paths.newProject;
}
