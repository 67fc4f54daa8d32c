// Queries and changes of the organization settings.

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type { AgentCaps, MemberStatus, OrganizationScope, ProviderKind, Role } from "./schema.d.ts";

export interface AuditFilters {
  action?: string | undefined;
  actor?: string | undefined;
}
/** Rows of the audit log per request. */
const auditPage = 50;

const at = (organization_id: number) => ({ params: { path: { organization_id } } });

/** A role that somebody can be given; ownership is transferred instead. */
export type GivenRole = Exclude<Role, "owner">;

export const createOrganization = (name: string) => ok(api.POST("/api/v1/organizations", { body: { name } }));

export const renameOrganization = (id: number, name: string) =>
  ok(api.PATCH("/api/v1/organizations/{organization_id}", { ...at(id), body: { name } }));

export const agentCapsQuery = (id: number) =>
  queryOptions({
    queryKey: ["organizations", id, "agent-caps"],
    queryFn: ({ signal }) => ok(api.GET("/api/v1/organizations/{organization_id}/agent-caps", { ...at(id), signal })),
  });

export const setAgentCaps = (id: number, body: AgentCaps) =>
  ok(api.PUT("/api/v1/organizations/{organization_id}/agent-caps", { ...at(id), body }));

export const handOver = (id: number, user_id: number) =>
  ok(api.POST("/api/v1/organizations/{organization_id}/owner", { ...at(id), body: { user_id } }));

const member = (organization_id: number, user_id: number) => ({ params: { path: { organization_id, user_id } } });

export const changeMember = (id: number, user: number, body: { role?: GivenRole; status?: MemberStatus }) =>
  ok(api.PATCH("/api/v1/organizations/{organization_id}/members/{user_id}", { ...member(id, user), body }));

export const removeMember = (id: number, user: number) =>
  ok(api.DELETE("/api/v1/organizations/{organization_id}/members/{user_id}", member(id, user)));

export const makeResetLink = (id: number, user: number) =>
  ok(api.POST("/api/v1/organizations/{organization_id}/members/{user_id}/reset-link", member(id, user)));

export const invite = (id: number, email: string, role: GivenRole) =>
  ok(api.POST("/api/v1/organizations/{organization_id}/invitations", { ...at(id), body: { email, role } }));

const invitation = (organization_id: number, invitation_id: number) => ({
  params: { path: { organization_id, invitation_id } },
});

export const resendInvitation = (id: number, which: number) =>
  ok(api.POST("/api/v1/organizations/{organization_id}/invitations/{invitation_id}/resend", invitation(id, which)));

export const revokeInvitation = (id: number, which: number) =>
  ok(api.DELETE("/api/v1/organizations/{organization_id}/invitations/{invitation_id}", invitation(id, which)));

export const organizationKeysQuery = (organization_id: number) =>
  queryOptions({
    queryKey: ["organizations", organization_id, "keys"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/organizations/{organization_id}/api-keys", { ...at(organization_id), signal })),
  });

export const createOrganizationKey = (id: number, name: string, scopes: OrganizationScope[]) =>
  ok(api.POST("/api/v1/organizations/{organization_id}/api-keys", { ...at(id), body: { name, scopes } }));

export const revokeOrganizationKey = (organization_id: number, key_id: number) =>
  ok(
    api.DELETE("/api/v1/organizations/{organization_id}/api-keys/{key_id}", {
      params: { path: { organization_id, key_id } },
    }),
  );

export const auditQuery = (organization_id: number, { action, actor }: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ["organizations", organization_id, "audit", action ?? "", actor ?? ""],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) => {
      const query = {
        limit: auditPage,
        offset: pageParam,
        ...(action ? { action } : {}),
        ...(actor ? { actor: Number(actor) } : {}),
      };
      return ok(
        api.GET("/api/v1/organizations/{organization_id}/audit", {
          params: { path: { organization_id }, query },
          signal,
        }),
      );
    },
    getNextPageParam: (last, pages) =>
      last.has_more && last.entries.length > 0
        ? pages.reduce((sum, { entries }) => sum + entries.length, 0)
        : undefined,
    placeholderData: keepPreviousData,
  });

export const signInQuery = (organization_id: number) =>
  queryOptions({
    queryKey: ["organizations", organization_id, "sign-in"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/organizations/{organization_id}/sign-in", { ...at(organization_id), signal })),
  });

export const checkSignIn = (id: number, provider: ProviderKind) =>
  ok(api.POST("/api/v1/organizations/{organization_id}/sign-in/check", { ...at(id), body: { provider } }));

export const signInTestQuery = (organization_id: number, test_id: number) =>
  queryOptions({
    queryKey: ["organizations", organization_id, "sign-in", "test", test_id],
    queryFn: ({ signal }) => {
      const params = { path: { organization_id, test_id } };
      return ok(api.GET("/api/v1/organizations/{organization_id}/sign-in/tests/{test_id}", { params, signal }));
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
