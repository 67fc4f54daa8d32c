// Keys that were created in this tab. They are only in memory, and forgotten when the session ends.

import { type QueryClient, queryOptions, skipToken } from "@tanstack/react-query";
import { createKey, keysQuery } from "../api/project-queries.ts";
import type { Keys, Scope } from "../api/schema.d.ts";

/** The use of a key: for errors from anywhere, or for source maps from a build. */
export type KeyUse = Extract<Scope, "ingest" | "releases">;

/** The newest key for each use, or why the first one could not be created. */
export type FreshKeys = Partial<Record<KeyUse, string>> & { problem?: unknown };

export const keyNames: Record<KeyUse, string> = { ingest: "browser key", releases: "CI key" };

/** The project's active keys. */
export const activeKeysQuery = (project: number) => ({
  ...keysQuery(project),
  select: ({ api_keys }: Keys) => api_keys.filter(({ revoked_at }) => revoked_at === null),
});

/** Never fetched: `createKeyInTab` stores it. */
export const freshKeysQuery = (project: number) =>
  queryOptions<FreshKeys>({
    queryKey: ["fresh keys", project],
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Creates a key for one use, and holds it for the pages of this tab. */
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
