// Queries and changes of an organization's automations, sessions, repositories and runners.

import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import { nextOffset } from "./release-queries.ts";
import { key, within } from "./running-sessions.ts";
import type {
  AgentPreview,
  AgentSession,
  Automation,
  AutomationFields,
  ContinueSession,
  CreatedRepository,
  CreatedRunner,
  CreateRepository,
  CreateTrigger,
  CreateSession,
  ListedAutomation,
  Repository,
  RunAnswer,
  SessionMessage,
  SessionStatus,
  Trigger,
  UpdateRepository,
  UpdateTrigger,
} from "./schema.d.ts";

/** How often changing data is refetched while somebody looks at it, in milliseconds. */
const soon = 5_000;
const later = 15_000;

/** Rows per request. */
const page = { sessions: 50, events: 25 };

export const runnersQuery = (organization: number) =>
  queryOptions({
    queryKey: [...key(organization), "runners"],
    queryFn: async ({ signal }) => (await ok(api.GET("/api/runners", { ...within(organization), signal }))).runners,
    refetchInterval: soon,
  });

export const createRunner = (organization: number, name: string, labels: string[]): Promise<CreatedRunner> =>
  ok(api.POST("/api/runners", { ...within(organization), body: { name, labels } }));

export async function deleteRunner(organization: number, runner_id: string): Promise<void> {
  await ok(api.DELETE("/api/runners/{runner_id}", { ...within(organization), params: { path: { runner_id } } }));
}

export const repositoriesQuery = (organization: number) =>
  queryOptions({
    queryKey: [...key(organization), "repositories"],
    queryFn: async ({ signal }) => (await ok(api.GET("/api/repos", { ...within(organization), signal }))).repos,
  });

export const prebuildsQuery = (organization: number) =>
  queryOptions({
    queryKey: [...key(organization), "prebuilds"],
    queryFn: async ({ signal }) => (await ok(api.GET("/api/prebuilds", { ...within(organization), signal }))).prebuilds,
  });

export const createRepository = (organization: number, body: CreateRepository): Promise<CreatedRepository> =>
  ok(api.POST("/api/repos", { ...within(organization), body }));

export async function updateRepository(
  organization: number,
  repository_id: string,
  body: UpdateRepository,
): Promise<Repository> {
  const params = { path: { repository_id } };
  return (await ok(api.PATCH("/api/repos/{repository_id}", { ...within(organization), params, body }))).repo;
}

export async function deleteRepository(organization: number, repository_id: string): Promise<void> {
  const params = { path: { repository_id } };
  await ok(api.DELETE("/api/repos/{repository_id}", { ...within(organization), params }));
}

export const automationsQuery = (organization: number) =>
  queryOptions({
    queryKey: [...key(organization), "automations"],
    queryFn: async ({ signal }): Promise<ListedAutomation[]> =>
      (await ok(api.GET("/api/automations", { ...within(organization), signal }))).automations,
  });

export const automationQuery = (organization: number, automation_id: string) =>
  queryOptions({
    queryKey: [...key(organization), "automation", automation_id],
    queryFn: async ({ signal }) => {
      const params = { path: { automation_id } };
      return (await ok(api.GET("/api/automations/{automation_id}", { ...within(organization), params, signal })))
        .automation;
    },
  });

export const createAutomation = async (organization: number, body: AutomationFields): Promise<ListedAutomation> =>
  (await ok(api.POST("/api/automations", { ...within(organization), body }))).automation;

export const changeAutomation = async (
  organization: number,
  automation_id: string,
  body: AutomationFields,
): Promise<Automation> => {
  const params = { path: { automation_id } };
  return (await ok(api.PATCH("/api/automations/{automation_id}", { ...within(organization), params, body })))
    .automation;
};

export async function deleteAutomation(organization: number, automation_id: string): Promise<void> {
  const params = { path: { automation_id } };
  await ok(api.DELETE("/api/automations/{automation_id}", { ...within(organization), params }));
}

export const createTrigger = async (
  organization: number,
  automation_id: string,
  body: CreateTrigger,
): Promise<Trigger> => {
  const params = { path: { automation_id } };
  return (await ok(api.POST("/api/automations/{automation_id}/triggers", { ...within(organization), params, body })))
    .trigger;
};

const trigger = (automation_id: string, trigger_id: string) => ({ params: { path: { automation_id, trigger_id } } });

export async function changeTrigger(
  organization: number,
  automation: string,
  id: string,
  body: UpdateTrigger,
): Promise<Trigger> {
  const asked = { ...within(organization), ...trigger(automation, id), body };
  return (await ok(api.PATCH("/api/automations/{automation_id}/triggers/{trigger_id}", asked))).trigger;
}

export async function deleteTrigger(organization: number, automation: string, id: string): Promise<void> {
  const asked = { ...within(organization), ...trigger(automation, id) };
  await ok(api.DELETE("/api/automations/{automation_id}/triggers/{trigger_id}", asked));
}

/** The next times of a schedule; an error if it is invalid or has none. */
export const nextRunsQuery = (organization: number, cron: string, timezone: string) =>
  queryOptions({
    queryKey: [...key(organization), "next runs", cron, timezone],
    queryFn: async ({ signal }) => {
      const params = { query: { cron, timezone } };
      return (await ok(api.GET("/api/automations/schedule", { ...within(organization), params, signal }))).next;
    },
    retry: false,
  });

/** A page of an automation's events, newest first. */
export const automationEventsQuery = (organization: number, automation_id: string) =>
  infiniteQueryOptions({
    queryKey: [...key(organization), "automation", automation_id, "events"],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }) => {
      const params = { path: { automation_id }, query: { limit: page.events, offset: pageParam } };
      const { events, total } = await ok(
        api.GET("/api/automations/{automation_id}/events", { ...within(organization), params, signal }),
      );
      return { rows: events, total };
    },
    getNextPageParam: (_, pages) => nextOffset(pages),
    refetchInterval: soon,
  });

/** The issue of a run or a preview. */
export interface About {
  projectId?: number;
  issueId?: number;
}

const run = (organization: number, automation_id: string, about: About, dryRun: boolean): Promise<RunAnswer> => {
  const params = { path: { automation_id } };
  const body = { ...about, dryRun };
  return ok(api.POST("/api/automations/{automation_id}/run", { ...within(organization), params, body }));
};

export const runAutomation = (organization: number, automation: string, about: About) =>
  run(organization, automation, about, false);

/** What an automation's agent would get. */
export const dryRunQuery = (organization: number, automation: string, about: About) =>
  queryOptions({
    queryKey: [...key(organization), "automation", automation, "dry run", about],
    queryFn: async (): Promise<AgentPreview | null> => (await run(organization, automation, about, true)).preview,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

export const summaryQuery = (organization: number, days: number) =>
  queryOptions({
    queryKey: [...key(organization), "summary", days],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/automations/summary", { ...within(organization), params: { query: { days } }, signal })),
    placeholderData: keepPreviousData,
  });

export interface SessionFilters {
  status?: SessionStatus | undefined;
  automation?: string | undefined;
}

export const agentSessionsQuery = (organization: number, { status, automation }: SessionFilters) =>
  infiniteQueryOptions({
    queryKey: [...key(organization), "sessions", status ?? "", automation ?? ""],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }) => {
      const filters = { ...(status && { status }), ...(automation && { automationId: automation }) };
      const params = { query: { ...filters, limit: page.sessions, offset: pageParam } };
      const { sessions, total } = await ok(api.GET("/api/sessions", { ...within(organization), params, signal }));
      return { rows: sessions, total };
    },
    getNextPageParam: (_, pages) => nextOffset(pages),
    placeholderData: keepPreviousData,
    refetchInterval: later,
  });

export const agentSessionQuery = (organization: number, agent_session_id: string) =>
  queryOptions({
    queryKey: [...key(organization), "session", agent_session_id],
    queryFn: async ({ signal }): Promise<AgentSession> => {
      const params = { path: { agent_session_id } };
      return (await ok(api.GET("/api/sessions/{agent_session_id}", { ...within(organization), params, signal })))
        .session;
    },
  });

/** Starts a session. */
export const startSession = async (organization: number, body: CreateSession): Promise<AgentSession | null> =>
  (await ok(api.POST("/api/sessions", { ...within(organization), body }))).session;

/** What a session's agent would get. */
export const sessionPreviewQuery = (organization: number, body: CreateSession) =>
  queryOptions({
    queryKey: [...key(organization), "session preview", body],
    queryFn: async (): Promise<AgentPreview | null> =>
      (await ok(api.POST("/api/sessions", { ...within(organization), body: { ...body, dryRun: true } }))).preview ??
      null,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

const session = (agent_session_id: string) => ({ params: { path: { agent_session_id } } });

/** Pauses, resumes or stops a session. */
export const changeSession = async (
  organization: number,
  id: string,
  status: "paused" | "running" | "stopped",
): Promise<AgentSession> =>
  (
    await ok(
      api.PATCH("/api/sessions/{agent_session_id}", { ...within(organization), ...session(id), body: { status } }),
    )
  ).session;

/** Allows a session to push, or only to read. */
export const changeMode = async (organization: number, id: string, mode: "read" | "write"): Promise<AgentSession> =>
  (await ok(api.PATCH("/api/sessions/{agent_session_id}", { ...within(organization), ...session(id), body: { mode } })))
    .session;

/** A session with its transcript, as a complete record. */
export const sessionRecord = (organization: number, id: string) =>
  ok(api.GET("/api/sessions/{agent_session_id}/record", { ...within(organization), ...session(id) }));

/** Releases held-back work to be pushed. */
export const releaseSession = async (organization: number, id: string): Promise<AgentSession> =>
  (await ok(api.POST("/api/sessions/{agent_session_id}/release", { ...within(organization), ...session(id) }))).session;

/** Continues a session that reached a cap or its time limit. */
export const continueSession = async (organization: number, id: string, body: ContinueSession): Promise<AgentSession> =>
  (await ok(api.POST("/api/sessions/{agent_session_id}/continue", { ...within(organization), ...session(id), body })))
    .session;

export async function deleteSession(organization: number, id: string): Promise<void> {
  await ok(api.DELETE("/api/sessions/{agent_session_id}", { ...within(organization), ...session(id) }));
}

/** Sends a message to the agent. */
export async function say(organization: number, id: string, content: string): Promise<SessionMessage> {
  const asked = { ...within(organization), ...session(id), body: { content } };
  return (await ok(api.POST("/api/sessions/{agent_session_id}/messages", asked))).message;
}

/** The agent runs about an issue, newest first. */
export const issueRunsQuery = (project_id: number, issue_id: number) =>
  queryOptions({
    queryKey: ["project", project_id, "apart", issue_id, "runs"],
    queryFn: ({ signal }) => {
      const params = { path: { project_id, issue_id }, query: { limit: 100 } };
      return ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/runs", { params, signal }));
    },
    refetchInterval: soon,
  });

/** Refetches all of these. */
export const refreshAutomate = (cache: QueryClient, organization: number) =>
  cache.invalidateQueries({ queryKey: key(organization) });
