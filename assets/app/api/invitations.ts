// Apart from the other queries of an organization, because the checklist needs this one beside every page.

import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type { InvitationStatus } from "./schema.d.ts";

/** Rows per request. */
const page = 50;

/** Begins the keys of an organization's invitations, whatever their status. */
export const invitationsKey = (organization: number) => ["organizations", organization, "invitations"] as const;

export const invitationsQuery = (organization_id: number, status: InvitationStatus) =>
  infiniteQueryOptions({
    queryKey: [...invitationsKey(organization_id), status],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) => {
      const params = { path: { organization_id }, query: { status, limit: page, offset: pageParam } };
      return ok(api.GET("/api/v1/organizations/{organization_id}/invitations", { params, signal }));
    },
    getNextPageParam: (last, pages) =>
      last.has_more && last.invitations.length > 0
        ? pages.reduce((sum, { invitations }) => sum + invitations.length, 0)
        : undefined,
  });
