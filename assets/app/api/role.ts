import { useQuery } from "@tanstack/react-query";
import { organizationsQuery, projectsQuery } from "./queries.ts";
import type { Organization, Role } from "./schema.d.ts";

export interface Rights {
  /** `undefined` until it is known. */
  role: Role | undefined;
  organization: Organization | undefined;
  /** Only admins and owners may change keys and settings, or delete anything. */
  mayAdminister: boolean;
}

/** What the signed-in person may do in a project. */
export function useRights(project: number): Rights {
  const { data } = useQuery(projectsQuery);
  const organization = data?.find(({ id }) => id === project)?.organization;
  const role = organization?.role;
  return { role, organization, mayAdminister: role === "admin" || role === "owner" };
}

/** The same for an organization; `found` is false if they do not belong to it. */
export function useOrganization(id: number): Rights & { found: boolean; error: unknown } {
  const { data, error } = useQuery(organizationsQuery);
  const organization = data?.find((each) => each.id === id);
  const role = organization?.role;
  return {
    role,
    organization,
    mayAdminister: role === "admin" || role === "owner",
    found: data === undefined || organization !== undefined,
    error,
  };
}
