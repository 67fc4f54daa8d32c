import { useQueryClient } from "@tanstack/react-query";
import { archive, markRead } from "../../api/notification-queries.ts";
import type { Notification } from "../../api/schema.d.ts";
import { problem } from "../../ui/notify.ts";

/** What can be done with a notification. */
export interface Acts {
  open: (one: Notification) => void;
  read: (one: Notification) => void;
  archive: (one: Notification) => void;
}

export function useActs(): Acts {
  const cache = useQueryClient();
  return {
    // The page goes on to where it leads; if it stays unread, the person sees that.
    open: (one) => void markRead(cache, one.id).catch(() => undefined),
    read: (one) => {
      if (one.read_at !== null) return;
      void markRead(cache, one.id).catch((error: unknown) => problem("It was not marked as read", error));
    },
    archive: (one) => {
      if (one.archived_at !== null) return;
      void archive(cache, one.id).catch((error: unknown) => problem("It was not archived", error));
    },
  };
}
