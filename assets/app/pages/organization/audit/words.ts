// Describes entries of the audit log.

/** Groups of actions to filter by: the beginnings of their names. */
export const groups = [
  { value: "", label: "Everything" },
  { value: "sign_in.", label: "Sign-ins" },
  { value: "session.", label: "Ended sign-ins" },
  { value: "password.", label: "Passwords" },
  { value: "email.", label: "E-mail addresses" },
  { value: "identity.", label: "Linked accounts" },
  { value: "invitation.", label: "Invitations" },
  { value: "member.", label: "Members" },
  { value: "owner.", label: "Ownership" },
  { value: "organization.", label: "Organization" },
  { value: "organization_key.", label: "Organization keys" },
  { value: "agent_", label: "Agents" },
  { value: "automation.", label: "Automations" },
  { value: "trigger.", label: "Triggers" },
  { value: "runner.", label: "Runners" },
  { value: "repository.", label: "Repositories" },
  { value: "connection.", label: "Connections" },
  { value: "project.", label: "Projects" },
  { value: "project_key.", label: "Project keys" },
  { value: "alert_", label: "Alerts" },
  { value: "set_aside.", label: "Quarantine" },
  { value: "token.", label: "Access tokens" },
] as const;

const methods: Record<string, string> = {
  setup: "by claiming the instance",
  password: "with a password",
  invitation: "with an invitation",
  sso: "through single sign-on",
  github: "through GitHub",
};

type Detail = Record<string, unknown>;

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const how = (detail: Detail, key = "method"): string => {
  const name = text(detail[key]);
  return name === undefined ? "" : ` ${methods[name] ?? `(${name})`}`;
};
const why = (detail: Detail): string =>
  text(detail.reason) ? `: ${(text(detail.reason) as string).replaceAll("_", " ")}` : "";

/** Descriptions of actions; the target has its own column. */
const words: Record<string, string | ((detail: Detail) => string)> = {
  "instance.claimed": "Claimed the instance",
  "instance.announced": "Announced something to everybody",
  "sign_in.succeeded": (detail) => `Signed in${how(detail)}`,
  "sign_in.failed": (detail) => `Failed to sign in${how(detail)}${why(detail)}`,
  "sign_in.throttled": "Was slowed down after too many sign-in attempts",
  "sign_in.tested": "Tested sign-in",
  sign_out: "Signed out",
  "session.ended": "Ended a sign-in",
  "password.changed": "Changed their password",
  "password.reset_asked": "Requested a password link",
  "password.reset": "Set a password with a link",
  "password.reset_link_made": "Created a password link",
  "email.change_asked": "Requested a change of e-mail address",
  "email.changed": "Changed their e-mail address",
  "profile.renamed": "Changed their name",
  "identity.linked": (detail) => `Linked an account${how(detail, "provider")}`,
  "identity.unlinked": (detail) => `Unlinked an account${how(detail, "provider")}`,
  "account.secured": "Took over an account with an unconfirmed address; its password, links and sign-ins ended",
  "invitation.created": "Sent an invitation",
  "invitation.resent": "Resent an invitation",
  "invitation.revoked": "Revoked an invitation",
  "invitation.accepted": "Accepted an invitation",
  "member.joined": (detail) => `Joined${how(detail, "how")}`,
  "member.role_changed": (detail) => {
    const [from, to] = [text(detail.from), text(detail.to)];
    const because = text(detail.why);
    return `Changed a role${from && to ? ` from ${from} to ${to}` : ""}${because ? ` (${because})` : ""}`;
  },
  "member.disabled": "Disabled a member",
  "member.enabled": "Enabled a member",
  "member.removed": (detail) => (detail.left === true ? "Left the organization" : "Removed a member"),
  "member.reinstated": "Readmitted a former member",
  "owner.handed_over": "Transferred ownership",
  "organization.created": "Created the organization",
  "organization.renamed": "Renamed the organization",
  "agent_caps.changed": "Changed what agents may use",
  "agent_session.deleted": "Deleted a session of an agent",
  "automation.created": "Created an automation",
  "automation.updated": "Changed an automation",
  "automation.deleted": "Deleted an automation",
  "trigger.created": "Created a trigger",
  "trigger.updated": "Changed a trigger",
  "trigger.deleted": "Deleted a trigger",
  "runner.created": "Created a runner",
  "runner.deleted": "Deleted a runner",
  "repository.created": "Added a repository",
  "repository.changed": "Changed a repository",
  "repository.deleted": "Removed a repository",
  "connection.created": "Created a connection",
  "connection.updated": "Changed a connection",
  "connection.deleted": "Deleted a connection",
  "organization_key.created": "Created an organization key",
  "organization_key.revoked": "Revoked an organization key",
  "project_key.created": "Created a project key",
  "project_key.revoked": "Revoked a project key",
  "project.created": "Created a project",
  "alert_channel.created": "Created an alert channel",
  "alert_channel.updated": "Changed an alert channel",
  "alert_channel.deleted": "Deleted an alert channel",
  "alert_rule.created": "Created an alert rule",
  "alert_rule.updated": "Changed an alert rule",
  "alert_rule.deleted": "Deleted an alert rule",
  "project.deleted": "Deleted a project",
  "project.retention_changed": "Changed the retention of a project",
  "set_aside.retried": "Retried an event in quarantine",
  "set_aside.deleted": "Deleted an event in quarantine",
  "set_aside.cleared": "Deleted all events in quarantine",
  "token.created": "Created an access token",
  "token.revoked": "Revoked an access token",
};

export const knownActions = Object.keys(words);

/** The description of an entry; an unknown action is shown by its name. */
export function auditWords({ action, detail }: { action: string; detail: Detail }): string {
  const found = Object.hasOwn(words, action) ? words[action] : undefined;
  if (found === undefined) return action;
  return typeof found === "string" ? found : found(detail);
}

/** Details as rows: names as the server gives them, values as text. */
export const detailRows = (detail: Detail): [name: string, value: string][] =>
  Object.entries(detail).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
