// The purposes of keys.

import type { Key, Scope } from "../../api/schema.d.ts";

export const scopes: Record<Scope, { word: string; about: string }> = {
  ingest: {
    word: "Send events",
    about: "Sends errors and logs, reads nothing. It may be public: everyone who opens your page can see it.",
  },
  releases: {
    word: "Manage releases",
    about: "Creates, finalizes and deletes releases and their source maps. Keep it secret.",
  },
  read: { word: "Read", about: "Reads the project's issues, events, logs and releases. Keep it secret." },
};
export const scopeNames = Object.keys(scopes) as Scope[];

/** `Send events, manage releases`. */
export const scopesText = (given: readonly Scope[]): string => {
  const text = given.map((scope) => scopes[scope].word.toLowerCase()).join(", ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

export const kinds = {
  browser: {
    word: "Sending events",
    scopes: ["ingest"],
    name: "Browser",
    about: "For browsers and applications. It can only send, so it may appear in a page's source.",
  },
  ci: {
    word: "Uploading source maps",
    scopes: ["releases"],
    name: "CI",
    about: "For CI. It manages releases, so store it with your CI secrets.",
  },
  read: {
    word: "Reading",
    scopes: ["read"],
    name: "Reader",
    about: "For scripts and dashboards that read issues, events, logs and releases.",
  },
  custom: { word: "Custom", scopes: [], name: "", about: "Choose its permissions." },
} as const satisfies Record<string, { word: string; scopes: readonly Scope[]; name: string; about: string }>;
export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

/** Whether a key may be public: all it can do is send. */
export const isPublic = ({ scopes }: { scopes: readonly Scope[] }): boolean =>
  scopes.length === 1 && scopes[0] === "ingest";

/** Why an environment cannot become part of a key; `undefined` when it can. */
export function environmentProblem(environment: string, most = 16): string | undefined {
  if (environment === "" || new RegExp(`^[a-z0-9-]{1,${most}}$`).test(environment)) return undefined;
  return `Use at most ${most} characters: a–z, 0–9 and -.`;
}

/** Active keys and revoked ones, each the newest first. */
export function sorted<K extends Key>(keys: K[]): { live: K[]; revoked: K[] } {
  const live = keys.filter(({ revoked_at }) => revoked_at === null);
  const revoked = keys.filter(({ revoked_at }) => revoked_at !== null);
  return { live, revoked };
}
