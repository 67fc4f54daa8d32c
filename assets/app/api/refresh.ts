// What live messages make stale is asked again within a budget, and not while the server asks to wait.

import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { invalidate } from "./invalidation.ts";
import { liveBudget } from "./budget.ts";
import { limitedFor } from "./limited.ts";

/** Milliseconds until something may be asked again because of a live message. */
export const liveWait = (): number => Math.max(limitedFor(), liveBudget.wait());

/** Makes answers stale; those that are shown are asked again at once, and counted. */
export async function refresh(cache: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  const shown = new Set(keys.flatMap((queryKey) => cache.getQueryCache().findAll({ queryKey, type: "active" })));
  if (shown.size > 0) liveBudget.take(shown.size);
  await Promise.all(keys.map((queryKey) => invalidate(cache, { queryKey })));
}
