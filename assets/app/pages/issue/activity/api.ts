import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, ok } from "../../../api/client.ts";
import { issueKeys } from "../../../api/queries.ts";
import { type Place, whileThere } from "../queries.ts";

/** Entries per request. */
const page = 50;

const path = ({ project, issue }: Place) => ({ project_id: project, issue_id: issue });

export const activityQuery = (place: Place) =>
  infiniteQueryOptions({
    queryKey: [...issueKeys.one(place.project, place.issue), "activity"],
    queryFn: ({ signal, pageParam }) => {
      const params = { path: path(place), query: { limit: page, offset: pageParam } };
      return ok(api.GET("/api/v1/projects/{project_id}/issues/{issue_id}/activity", { params, signal }));
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * page : undefined),
    ...whileThere(place),
  });

export const addComment = (place: Place, text: string) =>
  ok(
    api.POST("/api/v1/projects/{project_id}/issues/{issue_id}/comments", {
      params: { path: path(place) },
      body: { text },
    }),
  );

export const deleteComment = (place: Place, comment_id: number) =>
  ok(
    api.DELETE("/api/v1/projects/{project_id}/issues/{issue_id}/comments/{comment_id}", {
      params: { path: { ...path(place), comment_id } },
    }),
  );
