import { CircleAlert, CircleCheck, CircleSlash } from "lucide-react";
import type { ComponentProps } from "react";
import type { ConnectionKind, ConnectionStatus, OnResolve } from "../../../api/schema.d.ts";
import type { Badge } from "../../../ui/Badge.tsx";

/** The names of services. */
export const kindNames: Record<ConnectionKind, string> = {
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea or Forgejo",
  slack: "Slack",
  linear: "Linear",
  jira: "Jira",
};

/** The kind of token for each service, and where to create it. */
export const tokens: Record<Exclude<ConnectionKind, "github">, { label: string; about: string }> = {
  gitlab: {
    label: "Access token",
    about: "Of a person, a group or a project, with the scope api and the role Developer.",
  },
  gitea: {
    label: "Access token",
    about: "In your account's settings, Applications: may write repositories and issues and read the user.",
  },
  linear: { label: "API key", about: "In Linear: Settings, Security & access, New API key. It may read and write." },
  jira: {
    label: "API token",
    about: "In the cloud, an API token of your Atlassian account; of a server, a personal access token.",
  },
  slack: {
    label: "Bot token",
    about: "Of a Slack app with chat:write and channels:read, installed in your workspace: xoxb-…",
  },
};

/** How a connection's status is shown. */
export const statuses: Record<ConnectionStatus, ComponentProps<typeof Badge>> = {
  connected: { Icon: CircleCheck, tone: "good", children: "connected" },
  failing: { Icon: CircleAlert, tone: "warning", children: "failing", title: "It is tried again by itself" },
  revoked: { Icon: CircleSlash, tone: "error", children: "revoked", title: "The service refuses its token" },
};

export const resolveNames: Record<OnResolve, string> = {
  nothing: "Leave the ticket alone",
  comment: "Comment on the ticket",
  close: "Comment on the ticket and close it",
};

const errors: Record<string, string> = {
  requested: "An owner at GitHub has yet to approve the app. Once they have, connect it again.",
  not_installed: "The app was not installed at GitHub. Try again.",
  not_fresh:
    "That installation existed before. Change its repositories at GitHub within ten minutes of pressing Connect GitHub, and save there.",
  taken: "That installation is connected to another organization already.",
  unreachable: "GitHub did not respond. Try again in a minute.",
  not_allowed: "Only owners and admins connect GitHub.",
  flow_expired: "It took more than ten minutes, or it was finished already. Connect GitHub again.",
  wrong_browser: "It was begun in another browser. Begin and finish it in the same one, with cookies allowed.",
  internal: "The server could not store the connection. Try again in a minute.",
  not_configured: "This server no longer has an app at GitHub.",
};

/** The explanation of an error after returning from the code host. */
export const installError = (code: string): string => errors[code] ?? "GitHub could not be connected. Try again.";
