// Entries of the audit log in words.

/** Groups of actions to filter by: the beginnings of their names. */
export const groups = [
  { value: "", label: "Everything" },
  { value: "sign_in.", label: "Sign-ins" },
  { value: "session.", label: "Sessions" },
  { value: "password.", label: "Passwords" },
  { value: "email.", label: "E-mail addresses" },
  { value: "identity.", label: "Linked accounts" },
  { value: "invitation.", label: "Invitations" },
  { value: "member.", label: "Members" },
  { value: "owner.", label: "Ownership" },
  { value: "organization.", label: "Organization" },
  { value: "organization_key.", label: "Keys of the organization" },
  { value: "project.", label: "Projects" },
  { value: "project_key.", label: "Keys of projects" },
  { value: "set_aside.", label: "Events set aside" },
  { value: "token.", label: "Access tokens" },
] as const;

const methods: Record<string, string> = {
  setup: "by claiming the instance",
  password: "with a password",
  invitation: "by an invitation",
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

/** What was done; the target stands in a column of its own. */
const words: Record<string, string | ((detail: Detail) => string)> = {
  "instance.claimed": "Claimed the instance",
  "sign_in.succeeded": (detail) => `Signed in${how(detail)}`,
  "sign_in.failed": (detail) => `Could not sign in${how(detail)}${why(detail)}`,
  "sign_in.throttled": "Tried to sign in too often",
  "sign_in.tested": "Tested the sign-in",
  sign_out: "Signed out",
  "session.ended": "Ended a session",
  "password.changed": "Changed the password",
  "password.reset_asked": "Asked for a link that sets a password",
  "password.reset": "Set a password by a link",
  "password.reset_link_made": "Made a link that sets a password",
  "email.change_asked": "Asked to change the e-mail address",
  "email.changed": "Changed the e-mail address",
  "profile.renamed": "Changed their own name",
  "identity.linked": (detail) => `Linked an account${how(detail, "provider")}`,
  "identity.unlinked": (detail) => `Unlinked an account${how(detail, "provider")}`,
  "account.secured":
    "Took over an account whose address nobody had confirmed; its password, links and sessions were dropped",
  "invitation.created": "Invited",
  "invitation.resent": "Sent an invitation again",
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
  "member.reinstated": "Took a former member back",
  "owner.handed_over": "Handed over the organization",
  "organization.created": "Made the organization",
  "organization.renamed": "Renamed the organization",
  "organization_key.created": "Made a key of the organization",
  "organization_key.revoked": "Revoked a key of the organization",
  "project_key.created": "Made a key of a project",
  "project_key.revoked": "Revoked a key of a project",
  "project.created": "Made a project",
  "project.deleted": "Deleted a project",
  "set_aside.retried": "Tried an event again that was set aside",
  "set_aside.deleted": "Deleted an event that was set aside",
  "set_aside.cleared": "Deleted all events that were set aside",
  "token.created": "Made an access token",
  "token.revoked": "Revoked an access token",
};

export const knownActions = Object.keys(words);

/** What an entry says; an action that is not known is named. */
export function auditWords({ action, detail }: { action: string; detail: Detail }): string {
  const found = Object.hasOwn(words, action) ? words[action] : undefined;
  if (found === undefined) return action;
  return typeof found === "string" ? found : found(detail);
}

/** Details as rows: names as the server has them, values as text. */
export const detailRows = (detail: Detail): [name: string, value: string][] =>
  Object.entries(detail).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
