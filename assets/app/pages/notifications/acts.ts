import { useQueryClient } from "@tanstack/react-query";
import { archive, markRead } from "../../api/notification-queries.ts";
import type { Notification } from "../../api/schema.d.ts";
import { problem } from "../../ui/notify.ts";

/** Actions on a notification. */
export interface Acts {
  open: (one: Notification) => void;
  read: (one: Notification) => void;
  archive: (one: Notification) => void;
}

export function useActs(): Acts {
  const cache = useQueryClient();
  return {
    // The page is opened in any case; if marking fails, the person sees that it is still unread.
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
