// What is the same for everybody here.

import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, ok } from "./client.ts";

/** Whether somebody claimed the instance. Not to know it is no reason to wait: the forms are told. */
export const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: ({ signal }) => ok(api.GET("/auth/setup", { signal })),
  retry: false,
});

/** With many organizations nothing is ever claimed. */
export const hasMany = ({ available }: { available: boolean }): boolean => !available;

/** Whether people make organizations here; `undefined` until it is known. It never changes. */
export function useMany(): boolean | undefined {
  return useQuery({ ...setupQuery, staleTime: Number.POSITIVE_INFINITY, select: hasMany }).data;
}
