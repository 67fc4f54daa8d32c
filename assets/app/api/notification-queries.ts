// What the person was told, and wants to be told.

import { type QueryClient, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type { Category, Inbox, Notifications, UpdatePreference } from "./schema.d.ts";

/** Notifications that the menu of the bell shows, and that a page of the inbox does. */
const newest = 8;
export const inboxPage = 50;

export interface InboxFilters {
  show?: "unread" | "archived" | undefined;
  category?: Category | undefined;
}

/** Keys of everything that a message about the person's notifications makes stale. */
export const notificationLists = ["notifications", "list"] as const;

/** How many are not read, and the newest one: told by the person's stream, never asked. */
export const inboxQuery = queryOptions<Inbox>({ queryKey: ["notifications", "inbox"], enabled: false });

/** The newest ones that are not archived. */
export const latestQuery = queryOptions({
  queryKey: [...notificationLists, "latest"],
  queryFn: ({ signal }) => ok(api.GET("/api/v1/notifications", { params: { query: { limit: newest } }, signal })),
});

/** A page of the inbox, from 0. */
export const notificationsQuery = ({ show, category }: InboxFilters, page: number) =>
  queryOptions({
    queryKey: [...notificationLists, { show, category }, page],
    queryFn: ({ signal }) => {
      const query = {
        skip: page * inboxPage,
        limit: inboxPage,
        ...(category && { category }),
        ...(show === "unread" && { unread_only: true }),
        ...(show === "archived" && { archived_only: true }),
      };
      return ok(api.GET("/api/v1/notifications", { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

export const preferencesQuery = queryOptions({
  queryKey: ["notification-preferences"],
  queryFn: ({ signal }) => ok(api.GET("/api/v1/notifications/preferences", { signal })),
});

export const changePreference = (body: UpdatePreference) =>
  ok(api.PATCH("/api/v1/notifications/preferences", { body }));

/** Chooses whether a report of each week is mailed. */
export const chooseWeeklyReport = (enabled: boolean) =>
  ok(api.PATCH("/api/v1/notifications/weekly-report", { body: { enabled } }));

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
