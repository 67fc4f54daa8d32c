import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { replayKeys } from "../../api/replay-queries.ts";

/** How often to check whether a replay is still live, in milliseconds; the recording itself shows when it ended. */
const pause = 30_000;

export const replayQuery = (project_id: number, replay_id: string) =>
  queryOptions({
    queryKey: replayKeys.one(project_id, replay_id),
    queryFn: ({ signal }) => {
      const params = { path: { replay_id }, query: { project_id } };
      return ok(api.GET("/api/v1/replays/{replay_id}", { params, signal }));
    },
    refetchInterval: ({ state }) => (state.data?.is_live ? pause : false),
  });
