// Data that is the same for everyone on this instance.

import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, ok } from "./client.ts";

/** Whether the instance has been claimed. Pages do not wait for this: forms get an error if it has not. */
export const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: ({ signal }) => ok(api.GET("/auth/setup", { signal })),
  retry: false,
});

/** Whether the instance can have several organizations; such an instance is never claimed. */
export const hasMany = ({ available }: { available: boolean }): boolean => !available;

/** Whether people can create organizations; `undefined` until it is known. It never changes. */
export function useMany(): boolean | undefined {
  return useQuery({ ...setupQuery, staleTime: Number.POSITIVE_INFINITY, select: hasMany }).data;
}
