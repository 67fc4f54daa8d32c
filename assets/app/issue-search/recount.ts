// The counts of views after a change of the person's own. What live messages tell of waits until they are due.

import type { QueryClient } from "@tanstack/react-query";
import { invalidate } from "../api/invalidation.ts";
import { limitedFor } from "../api/limited.ts";
import { type Throttled, throttle } from "../api/throttle.ts";
import { viewNamesQuery, viewsKey } from "./views.ts";

/** They are counted again at most this often, in milliseconds. */
const calm = 1_000;
/** So often in a row, then once in so many milliseconds: each view costs a request, of which an hour has a thousand. */
const row = 6;
const pace = 60_000;

const throttled = new WeakMap<QueryClient, Throttled<number>>();

/** Counts the issues of a project's views again, since the person has changed or deleted some. */
export function recountViews(cache: QueryClient, project: number): void {
  const recount = throttled.get(cache) ?? makeRecount(cache);
  throttled.set(cache, recount);
  recount(project);
}

function makeRecount(cache: QueryClient): Throttled<number> {
  let [left, at] = [row, Date.now()];
  const wait = () => {
    left = Math.min(row, left + Math.max(0, Date.now() - at) / pace);
    at = Date.now();
    return Math.max(limitedFor(), left >= 1 ? 0 : Math.ceil((1 - left) * pace));
  };
  const run = (projects: number[]) => {
    left -= 1;
    return count(cache, projects);
  };
  return throttle(calm, run, wait);
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
