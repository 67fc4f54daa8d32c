import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";

/** Whether somebody claimed the instance. Not to know it is no reason to wait: the forms are told. */
export const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: ({ signal }) => ok(api.GET("/auth/setup", { signal })),
  retry: false,
});
