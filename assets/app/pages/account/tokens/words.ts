import type { PersonalToken, TokenScope } from "../../../api/schema.d.ts";

/** What a token may do, in words; each scope includes those before it. */
export const scopeWords: Record<TokenScope, { word: string; about: string }> = {
  read: { word: "Read", about: "Everything you can see: issues, events, releases and members." },
  write: { word: "Read and write", about: "Also changes issues: status, priority, assignee and comments." },
  admin: {
    word: "Administer",
    about:
      "Everything your role allows: projects, keys, members, settings and deletion. Only where automation needs it.",
  },
};
export const scopeNames = Object.keys(scopeWords) as TokenScope[];

/** Of several, the one that includes the others. */
export const widest = (scopes: readonly TokenScope[]): TokenScope =>
  scopeNames.findLast((scope) => scopes.includes(scope)) ?? "read";

/** After how many days a token expires; empty for never. */
export const lifetimes = [
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "366", label: "In 1 year" },
  { value: "", label: "Never" },
] as const;

export type Standing = "live" | "expired" | "revoked";

export function standingOf(
  { revoked_at, expires_at }: Pick<PersonalToken, "revoked_at" | "expires_at">,
  now: number,
): Standing {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= now ? "expired" : "live";
}
