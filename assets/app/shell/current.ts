import { useQuery } from "@tanstack/react-query";
import { useLocation, useParams } from "@tanstack/react-router";
import { organizationsQuery, projectsQuery } from "../api/queries.ts";
import type { Organization } from "../api/schema.d.ts";
import { lastProject } from "../pages/projects/last.ts";

/** Pages that are about no project; around them the navigation keeps the one that was open. */
const apart = /^\/(?:account|organizations)(?:\/|$)/;

/** The project that the navigation is about. */
export function useCurrentProject(): number | undefined {
  const { projectId } = useParams({ strict: false });
  const pathname = useLocation({ select: (location) => location.pathname });
  const { data } = useQuery(projectsQuery);
  if (projectId !== undefined || !apart.test(pathname)) return projectId;
  const last = lastProject();
  return (data?.find(({ id }) => id === last) ?? data?.[0])?.id;
}

/** Every organization of the person: known from the projects' question. */
export function useOrganizations(): Organization[] {
  const projects = useQuery(projectsQuery);
  const { data } = useQuery({ ...organizationsQuery, enabled: projects.data !== undefined });
  return data ?? [];
}

/** The organization that the navigation is about. */
export function useCurrentOrganization(): Organization | undefined {
  const { organizationId } = useParams({ strict: false });
  const project = useCurrentProject();
  const projects = useQuery(projectsQuery).data;
  const organizations = useOrganizations();
  const own = projects?.find(({ id }) => id === project)?.organization.id;
  return organizations.find(({ id }) => id === (organizationId ?? own)) ?? organizations[0];
}
