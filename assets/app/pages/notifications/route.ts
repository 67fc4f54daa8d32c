import { createRoute } from "@tanstack/react-router";
import type { InboxFilters } from "../../api/notification-pages.ts";
import { insideRoute } from "../../routes/inside.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { type Search, idOf } from "../../search-params.ts";

const shows = ["unread", "archived"] as const;
const categories = ["error", "team", "integration", "system"] as const;
/** The server skips at most a million. */
const lastPage = 20_000;

/** The state of the inbox, all of it in the address; `page` counts from 1. */
export interface InboxSearch extends InboxFilters {
  page?: number | undefined;
  /** The notification in the reading pane. */
  open?: number | undefined;
}

export const inboxRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account/notifications",
  validateSearch: (search: Search): InboxSearch => {
    const page = idOf(search.page) ?? 1;
    return {
      show: shows.find((name) => name === search.show),
      category: categories.find((name) => name === search.category),
      page: page > 1 ? Math.min(page, lastPage) : undefined,
      open: idOf(search.open),
    };
  },
  component: lazyPage(() => import("./InboxPage.tsx")),
});
