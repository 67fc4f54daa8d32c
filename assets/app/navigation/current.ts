import { useQuery } from "@tanstack/react-query";
import { useLocation, useParams } from "@tanstack/react-router";
import { organizationsQuery, projectsQuery } from "../api/queries.ts";
import type { Organization } from "../api/schema.d.ts";
import { lastProject } from "./last-project.ts";

/** Pages outside of projects; on them the navigation keeps the last open project. */
const apart = /^\/(?:account|instance|organizations)(?:\/|$)/;

/** The ids in the address. One that is not a number, on a page that does not exist, counts as missing. */
function useIds(): { projectId: number | undefined; organizationId: number | undefined } {
  const { projectId, organizationId } = useParams({ strict: false });
  const known = (id: unknown) => (typeof id === "number" ? id : undefined);
  return { projectId: known(projectId), organizationId: known(organizationId) };
}

/** The project that the navigation shows. */
export function useCurrentProject(): number | undefined {
  const { projectId, organizationId } = useIds();
  const pathname = useLocation({ select: (location) => location.pathname });
  const { data } = useQuery(projectsQuery);
  const own = useOrganizations().some(({ id }) => id === organizationId);
  if (projectId !== undefined || !apart.test(pathname)) return projectId;
  const last = lastProject();
  // On an organization's page: one of its projects.
  const there = own ? data?.filter(({ organization }) => organization.id === organizationId) : data;
  return (there?.find(({ id }) => id === last) ?? there?.[0])?.id;
}

/** Every organization of the person; the request for the projects fetches them, too. */
export function useOrganizations(): Organization[] {
  const projects = useQuery(projectsQuery);
  const { data } = useQuery({ ...organizationsQuery, enabled: projects.data !== undefined });
  return data ?? [];
}

/** Whether the person may create projects somewhere. */
export const useMayCreate = (): boolean => useOrganizations().some(({ role }) => role !== "member");

/** The organization that the navigation shows. */
export function useCurrentOrganization(): Organization | undefined {
  const { organizationId } = useIds();
  const project = useCurrentProject();
  const projects = useQuery(projectsQuery).data;
  const organizations = useOrganizations();
  const own = projects?.find(({ id }) => id === project)?.organization.id;
  return organizations.find(({ id }) => id === (organizationId ?? own)) ?? organizations[0];
}
