/** Every address of the Web app; links are made from these and nowhere else. */
export const paths = {
  home: "/",
  setup: "/setup",
  login: "/login",
  register: "/register",
  forgotPassword: "/forgot-password",
  resetPassword: "/reset-password",
  confirmEmail: "/confirm-email",
  account: (section: AccountSection = "profile") => (section === "profile" ? "/account" : `/account/${section}`),
  notifications: "/account/notifications",
  notificationPreferences: "/account/notifications/preferences",
  newOrganization: "/organizations/new",
  organization: (organization: number, section: OrganizationSection = "general") =>
    `/organizations/${organization}/settings${section === "general" ? "" : `/${section}`}`,
  /** The server's redirect to a provider, for a separate tab. */
  throughProvider: (provider: "sso" | "github", back: string) =>
    `/auth/${provider}/start?redirect_to=${encodeURIComponent(back)}`,
  newProject: "/projects/new",
  /** The steps to the first event. */
  start: (project: number) => `/projects/${project}/start`,
  issues: (project: number, query?: string) =>
    `/projects/${project}/issues${query ? `?query=${encodeURIComponent(query)}` : ""}`,
  issue: (project: number, issue: number, event?: string) =>
    `/projects/${project}/issues/${issue}${event ? `?event=${encodeURIComponent(event)}` : ""}`,
  /** The log explorer with its query (`pages/logs/address.ts`). */
  logs: (project: number, search: Record<string, string | number | undefined> = {}) =>
    `/projects/${project}/logs${queryOf(search)}`,
  /** A file with the entries that match the filters, made by the server. */
  exportLogs: (project: number, filters: Record<string, string | number | undefined>) =>
    `/api/v1/projects/${project}/logs/export${queryOf(filters)}`,
  /** The server's stream of entries as they arrive. */
  tailLogs: (project: number, filters: Record<string, string | undefined>) =>
    `/api/v1/projects/${project}/logs/tail${queryOf(filters)}`,
  /** What the addresses of traces begin with: nothing is there. */
  traces: (project: number) => `/projects/${project}/traces`,
  /** Everything that has a trace id, on one axis of time. */
  trace: (project: number, trace: string) => `/projects/${project}/traces/${encodeURIComponent(trace)}`,
  releases: (project: number) => `/projects/${project}/releases`,
  release: (project: number, version: string) => `/projects/${project}/releases/${encodeURIComponent(version)}`,
  /** A release beside another: the one that `with` names in the address, or the release before it. */
  compare: (project: number, version: string) => `/projects/${project}/releases/${encodeURIComponent(version)}/compare`,
  /** The list of replays with its filters. */
  replays: (project: number, search: Record<string, string | undefined> = {}) =>
    `/projects/${project}/replays${queryOf(search)}`,
  /** The player, starting at a second. */
  replay: (project: number, replay: string, seconds?: number) =>
    `/projects/${project}/replays/${encodeURIComponent(replay)}${queryOf({ t: seconds })}`,
  /** The document that a replay is shown in. */
  replayFrame: "/replay-frame.html",
  /** The server's events of a replay, from a segment on. */
  replayEvents: (project: number, replay: string, from: number) =>
    `/api/v1/replays/${encodeURIComponent(replay)}/events${queryOf({ project_id: project, from_chunk: from })}`,
  /** A style sheet that was uploaded with a release, by the address that a page loaded it from. */
  styleSheet: (project: number, release: string, url: string) =>
    `/api/v1/projects/${project}/stylesheets${queryOf({ release, url })}`,
  /** What the server has of a replay, from the latest picture before a moment on. */
  replayMoment: (project: number, replay: string, at: number) =>
    `/api/v1/replays/${encodeURIComponent(replay)}/events${queryOf({ project_id: project, at: Math.min(Math.round(at), 3_900_000) })}`,
  automations: (organization: number) => `/organizations/${organization}/automations`,
  automation: (organization: number, automation: string) =>
    `/organizations/${organization}/automations/${encodeURIComponent(automation)}`,
  /** The summary of what the automations did. */
  automationsSummary: (organization: number) => `/organizations/${organization}/automations/summary`,
  /** Sessions of agents, with their filters. */
  agentSessions: (organization: number, search: Record<string, string | undefined> = {}) =>
    `/organizations/${organization}/sessions${queryOf(search)}`,
  agentSession: (organization: number, session: string) =>
    `/organizations/${organization}/sessions/${encodeURIComponent(session)}`,
  /** The server's stream of a session, from an entry of its transcript on. */
  agentSessionStream: (session: string, after: number) =>
    `/api/sessions/${encodeURIComponent(session)}/stream${queryOf({ after })}`,
  repositories: (organization: number) => `/organizations/${organization}/repositories`,
  runners: (organization: number) => `/organizations/${organization}/runners`,
  /** The pages for administrators of the instance. */
  instance: (section: InstanceSection = "overview") => (section === "overview" ? "/instance" : `/instance/${section}`),
  settings: (project: number, section: SettingsSection = "general") => `/projects/${project}/settings/${section}`,
} as const;

/** `?…` with the given parameters; empty if there are none. */
function queryOf(given: Record<string, string | number | undefined>): string {
  const words = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return words.length === 0 ? "" : `?${new URLSearchParams(words)}`;
}

export const settingsSections = [
  "general",
  "keys",
  "limits",
  "alerts",
  "repositories",
  "high-value",
  "retention",
  "scrubbing",
  "set-aside",
] as const;
export type SettingsSection = (typeof settingsSections)[number];

export const accountSections = ["profile", "sessions", "tokens", "agents"] as const;
export type AccountSection = (typeof accountSections)[number];

export const organizationSections = ["general", "members", "keys", "connections", "sign-in", "audit"] as const;
export type OrganizationSection = (typeof organizationSections)[number];

export const instanceSections = ["overview", "usage", "retention", "backups"] as const;
export type InstanceSection = (typeof instanceSections)[number];

/** The setup token in an address like `/setup#token=…`; empty if there is none. */
export function setupTokenIn(fragment: string): string {
  return new URLSearchParams(fragment.replace(/^#/, "")).get("token")?.trim() ?? "";
}

/** Where to go after a sign-in: always a path of this site. */
export function localPath(wanted: unknown): string {
  return typeof wanted === "string" && /^\/(?![/\\])[^\u0000-\u0020]*$/.test(wanted) ? wanted : paths.home;
}
