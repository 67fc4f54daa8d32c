// The counts of views after a change of the person's own. What live messages tell of waits until they are due.

import type { QueryClient } from "@tanstack/react-query";
import { invalidate } from "../api/invalidation.ts";
import { limitedFor } from "../api/limited.ts";
import { type Throttled, throttle } from "../api/throttle.ts";
import { viewNamesQuery, viewsKey } from "./views.ts";

/** Each view costs a request: they are counted again at most this often, in milliseconds. */
const calm = 1_000;

const throttled = new WeakMap<QueryClient, Throttled<number>>();

/** Counts the issues of a project's views again, since the person has changed or deleted some. */
export function recountViews(cache: QueryClient, project: number): void {
  const recount = throttled.get(cache) ?? throttle(calm, (projects: number[]) => count(cache, projects), limitedFor);
  throttled.set(cache, recount);
  recount(project);
}

async function count(cache: QueryClient, projects: readonly number[]): Promise<void> {
  const counts = [...new Set(projects)].map((project) => {
    const names = JSON.stringify(viewNamesQuery(project).queryKey);
    return invalidate(cache, {
      queryKey: viewsKey(project),
      predicate: ({ queryKey }) => JSON.stringify(queryKey) !== names,
    });
  });
  await Promise.all(counts);
}
