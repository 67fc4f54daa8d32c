import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { api, ok } from "../../api/client.ts";
import { useNewEvents } from "../../api/live.ts";
import { issueKeys } from "../../api/queries.ts";
import type { Issue } from "../../api/schema.d.ts";

/** The issue that something happened to last, and how many there are. */
export const newestQuery = (project_id: number) =>
  queryOptions({
    queryKey: [...issueKeys.lists(project_id), "arrival"],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { limit: 1 } };
      const { issues, total } = await ok(api.GET("/api/v1/projects/{project_id}/issues", { params, signal }));
      return { issue: issues[0], total };
    },
    // Where a proxy holds the live stream back, coming back to the tab shows the event.
    staleTime: 0,
  });

export type Arrival =
  | { state: "asking" }
  | { state: "failed"; error: unknown; retry: () => void; retrying: boolean }
  | { state: "waiting" }
  /** There were events before, and no new one since. */
  | { state: "had"; total: number }
  /** `first`: the project had none before. */
  | { state: "arrived"; issue: Issue; total: number; first: boolean };

/** The project had events before, so a new one does not open the issue automatically. */
export const isLater = (arrival: Arrival): arrival is Extract<Arrival, { total: number }> =>
  arrival.state === "had" || (arrival.state === "arrived" && !arrival.first);

/** Follows whether the project's first event is readable. */
export function useArrival(project: number): Arrival {
  const newest = useQuery(newestQuery(project));
  const cache = useQueryClient();
  // When the first event of this visit arrived.
  const [heardAt, setHeardAt] = useState<number>();
  const [had, setHad] = useState<boolean>();
  const hear = useCallback(() => setHeardAt((known) => known ?? Date.now()), []);
  useNewEvents(project, hear);
  useEffect(() => {
    if (heardAt !== undefined) void cache.invalidateQueries({ queryKey: newestQuery(project).queryKey });
  }, [heardAt, cache, project]);
  if (had === undefined && newest.data) setHad(newest.data.total > 0 && heardAt === undefined);

  if (newest.data === undefined) {
    if (newest.isPending) return { state: "asking" };
    const { error, isFetching: retrying } = newest;
    return { state: "failed", error, retry: () => void newest.refetch(), retrying };
  }
  const { issue, total } = newest.data;
  if (issue === undefined) return { state: "waiting" };
  const isRead = heardAt !== undefined && newest.dataUpdatedAt >= heardAt;
  if (had && !isRead) return { state: "had", total };
  return { state: "arrived", issue, total, first: !had };
}
