import { useQuery } from "@tanstack/react-query";
import { meQuery, organizationQuery, projectQuery } from "../../api/queries.ts";

/** The possible assignees in a project, the person first; empty until `wanted`. */
export function useMembers(project: number, wanted = true) {
  const record = useQuery(projectQuery(project)).data;
  const me = useQuery(meQuery).data;
  const organization = useQuery({
    ...organizationQuery(record?.organization_id ?? 0),
    enabled: wanted && record !== undefined,
  }).data;
  const members = organization?.members ?? [];
  const own = members.filter(({ id }) => id === me?.id);
  return [...own, ...members.filter(({ id }) => id !== me?.id)].map((member) => ({
    ...member,
    me: member.id === me?.id,
  }));
}
