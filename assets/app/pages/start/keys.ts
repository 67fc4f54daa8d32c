// Keys that were made in this tab: their text is in memory only, and gone with the session's answers.

import { type QueryClient, queryOptions, skipToken } from "@tanstack/react-query";
import { createKey, keysQuery } from "../../api/project-queries.ts";
import type { Keys, Scope } from "../../api/schema.d.ts";

/** What a key is for: errors from anywhere, or source maps from a build. */
export type KeyUse = Extract<Scope, "ingest" | "releases">;

/** The text of the newest key of each use, or why the first one could not be made. */
export type FreshKeys = Partial<Record<KeyUse, string>> & { problem?: unknown };

export const keyNames: Record<KeyUse, string> = { ingest: "browser key", releases: "CI key" };

/** The project's keys that work. */
export const liveKeysQuery = (project: number) => ({
  ...keysQuery(project),
  select: ({ api_keys }: Keys) => api_keys.filter(({ revoked_at }) => revoked_at === null),
});

/** Nobody can ask for it: `createKeyInTab` puts it there. */
export const freshKeysQuery = (project: number) =>
  queryOptions<FreshKeys>({
    queryKey: ["fresh keys", project],
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Makes a key that may do one thing, and keeps its text for the pages of this tab. */
export async function createKeyInTab(
  cache: QueryClient,
  project_id: number,
  wanted: { name: string; use: KeyUse },
): Promise<void> {
  const made = await createKey(project_id, { name: wanted.name, scopes: [wanted.use] });
  cache.setQueryData<FreshKeys>(freshKeysQuery(project_id).queryKey, (known) => ({
    ...known,
    problem: undefined,
    [wanted.use]: made.key,
  }));
  void cache.invalidateQueries({ queryKey: keysQuery(project_id).queryKey });
}
