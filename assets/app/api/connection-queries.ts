// Connections of an organization to code hosts, trackers and chats, and the tickets of issues.

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type { AttachTicket, CreateConnection, CreateTicket, ShareIssue, UpdateConnection } from "./schema.d.ts";

const key = (organization: number) => ["organizations", organization, "connections"] as const;
const of = (organization_id: number) => ({ params: { path: { organization_id } } });
const one = (organization_id: number, connection_id: string) => ({
  params: { path: { organization_id, connection_id } },
});

export const connectionsQuery = (organization: number) =>
  queryOptions({
    queryKey: key(organization),
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/organizations/{organization_id}/connections", { ...of(organization), signal })),
  });

/** The destinations of a connection's tickets or messages, fetched from the service. */
export const destinationsQuery = (organization: number, connection: string) =>
  queryOptions({
    queryKey: [...key(organization), connection, "destinations"],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/organizations/{organization_id}/connections/{connection_id}/destinations", {
          ...one(organization, connection),
          signal,
        }),
      ),
    retry: false,
    staleTime: 60_000,
  });

export const createConnection = (organization: number, body: CreateConnection) =>
  ok(api.POST("/api/v1/organizations/{organization_id}/connections", { ...of(organization), body }));

export const changeConnection = (organization: number, id: string, body: UpdateConnection) =>
  ok(
    api.PATCH("/api/v1/organizations/{organization_id}/connections/{connection_id}", {
      ...one(organization, id),
      body,
    }),
  );

export async function deleteConnection(organization: number, id: string): Promise<void> {
  await ok(api.DELETE("/api/v1/organizations/{organization_id}/connections/{connection_id}", one(organization, id)));
}

export const checkConnection = (organization: number, id: string) =>
  ok(api.POST("/api/v1/organizations/{organization_id}/connections/{connection_id}/check", one(organization, id)));

/** The page of the code host where its people install the app. */
export const beginInstall = (organization: number) =>
  ok(api.POST("/api/v1/organizations/{organization_id}/connections/github/install", of(organization)));

/** Refetches all of these. */
export const refreshConnections = (cache: QueryClient, organization: number) =>
  cache.invalidateQueries({ queryKey: key(organization) });

const issue = (project_id: number, issue_id: number) => ({ params: { path: { project_id, issue_id } } });
const ticket = (project_id: number, issue_id: number, ticket_id: number) => ({
  params: { path: { project_id, issue_id, ticket_id } },
});

/** The tickets of an issue; refetched soon while one is being created. */
export const ticketsQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: ["project", project, "issue", id, "tickets"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/tickets", { ...issue(project, id), signal })),
    refetchInterval: ({ state }) => (state.data?.tickets.some(({ status }) => status === "pending") ? 2_000 : false),
  });

export const createTicket = (project: number, id: number, body: CreateTicket) =>
  ok(api.POST("/api/v1/projects/{project_id}/issues/{issue_id}/tickets", { ...issue(project, id), body }));

/** Attaches an existing ticket. */
export const attachTicket = (project: number, id: number, body: AttachTicket) =>
  ok(api.POST("/api/v1/projects/{project_id}/issues/{issue_id}/tickets/attach", { ...issue(project, id), body }));

export const checkTicket = (project: number, id: number, which: number) =>
  ok(api.POST("/api/v1/projects/{project_id}/issues/{issue_id}/tickets/{ticket_id}/check", ticket(project, id, which)));

export async function removeTicket(project: number, id: number, which: number): Promise<void> {
  await ok(
    api.DELETE("/api/v1/projects/{project_id}/issues/{issue_id}/tickets/{ticket_id}", ticket(project, id, which)),
  );
}

export async function shareIssue(project: number, id: number, body: ShareIssue): Promise<void> {
  await ok(api.POST("/api/v1/projects/{project_id}/issues/{issue_id}/share", { ...issue(project, id), body }));
}
