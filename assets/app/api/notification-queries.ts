// What the person was told, as every page needs it; `notification-pages.ts` has the rest.

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type { Inbox, Notifications } from "./schema.d.ts";

/** Keys of everything that a message about the person's notifications makes stale. */
export const notificationLists = ["notifications", "list"] as const;

/** How many are not read, and the newest one: told by the person's stream, never asked. */
export const inboxQuery = queryOptions<Inbox>({ queryKey: ["notifications", "inbox"], enabled: false });

const at = (notification_id: number) => ({ params: { path: { notification_id } } });

/** Marks one as read; lists that are shown say so at once. */
export function markRead(cache: QueryClient, id: number): Promise<unknown> {
  const read = ok(api.PATCH("/api/v1/notifications/{notification_id}/read", at(id)));
  return settled(cache, [id], "read_at", read);
}

export function archive(cache: QueryClient, id: number): Promise<unknown> {
  const archived = ok(api.PATCH("/api/v1/notifications/{notification_id}/archive", at(id)));
  return settled(cache, [id], "archived_at", archived);
}

/** Marks all that are not archived as read. */
export function markAllRead(cache: QueryClient): Promise<unknown> {
  return settled(cache, undefined, "read_at", ok(api.POST("/api/v1/notifications/mark-all-read")));
}

/** Says in what is shown that it was done, and asks the server for the truth once it answered. */
async function settled(
  cache: QueryClient,
  ids: number[] | undefined,
  field: "read_at" | "archived_at",
  answer: Promise<unknown>,
): Promise<unknown> {
  const now = new Date().toISOString();
  cache.setQueriesData<Notifications>({ queryKey: notificationLists }, (list) =>
    list === undefined
      ? undefined
      : {
          ...list,
          notifications: list.notifications.map((one) =>
            ids === undefined || ids.includes(one.id) ? { ...one, [field]: one[field] ?? now } : one,
          ),
        },
  );
  try {
    return await answer;
  } finally {
    void cache.invalidateQueries({ queryKey: notificationLists });
  }
}
