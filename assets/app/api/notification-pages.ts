// The lists of what the person was told, and what the person wants to be told.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import { notificationLists } from "./notification-queries.ts";
import type { Category, UpdatePreference } from "./schema.d.ts";

/** Notifications that the menu of the bell shows, and that a page of the inbox does. */
const newest = 8;
export const inboxPage = 50;

export interface InboxFilters {
  show?: "unread" | "archived" | undefined;
  category?: Category | undefined;
}

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
