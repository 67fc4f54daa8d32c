// What keys are for, in words.

import type { Key, Scope } from "../../api/schema.d.ts";

export const scopes: Record<Scope, { word: string; about: string }> = {
  ingest: {
    word: "send events",
    about: "Sends errors; reads nothing. It may be seen by everybody who opens your page.",
  },
  releases: {
    word: "upload releases",
    about: "Makes and finalizes releases, uploads, reads and deletes them and their source maps. A secret.",
  },
  read: { word: "read", about: "Reads the project's issues, events and releases. A secret." },
};
export const scopeNames = Object.keys(scopes) as Scope[];

export const kinds = {
  browser: {
    word: "For browsers and applications",
    scopes: ["ingest"],
    name: "Browser",
    about: "Sends errors and can do nothing else, so it may stand in a page's source.",
  },
  ci: {
    word: "For CI",
    scopes: ["releases"],
    name: "CI",
    about: "Uploads releases and source maps. It belongs among the secrets of your CI.",
  },
  read: {
    word: "For reading",
    scopes: ["read"],
    name: "Reader",
    about: "Reads issues, events and releases: for scripts and dashboards.",
  },
  custom: { word: "Something else", scopes: [], name: "", about: "Choose what it may do." },
} as const satisfies Record<string, { word: string; scopes: readonly Scope[]; name: string; about: string }>;
export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

/** Whether anybody may see a key: it can do nothing but send. */
export const isPublic = ({ scopes }: { scopes: readonly Scope[] }): boolean =>
  scopes.length === 1 && scopes[0] === "ingest";

/** Why an environment cannot become a part of a key, or nothing. */
export function environmentProblem(environment: string, most = 16): string | undefined {
  if (environment === "" || new RegExp(`^[a-z0-9-]{1,${most}}$`).test(environment)) return undefined;
  return `1 to ${most} of a-z, 0-9 and -`;
}

/** Keys that work, and those that no longer do; each the newest first. */
export function sorted<K extends Key>(keys: K[]): { live: K[]; revoked: K[] } {
  const live = keys.filter(({ revoked_at }) => revoked_at === null);
  const revoked = keys.filter(({ revoked_at }) => revoked_at !== null);
  return { live, revoked };
}
