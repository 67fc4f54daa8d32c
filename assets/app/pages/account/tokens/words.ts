import type { PersonalToken, TokenScope } from "../../../api/schema.d.ts";

/** What a token may do, in words; each includes the ones before. */
export const scopeWords: Record<TokenScope, { word: string; about: string }> = {
  read: { word: "read", about: "Reads what you may read: issues, events, releases, members." },
  write: { word: "read and change", about: "Also works on issues as you do: status, priority, assignment, comments." },
  admin: {
    word: "read, change and administer",
    about:
      "Also what you may do as an admin: projects, keys, members, settings, deleting. For automation that needs it.",
  },
};
export const scopeNames = Object.keys(scopeWords) as TokenScope[];

/** Of several, the one that includes the others. */
export const widest = (scopes: readonly TokenScope[]): TokenScope =>
  scopeNames.findLast((scope) => scopes.includes(scope)) ?? "read";

/** For how long a token may live, in days; none: until it is revoked. */
export const lifetimes = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "366", label: "1 year" },
  { value: "", label: "Until it is revoked" },
] as const;

export type Standing = "live" | "expired" | "revoked";

export function standingOf(
  { revoked_at, expires_at }: Pick<PersonalToken, "revoked_at" | "expires_at">,
  now: number,
): Standing {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= now ? "expired" : "live";
}
