import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { type HearInbox, useLiveInbox } from "../api/inbox-live.ts";
import { inboxQuery, markRead } from "../api/notification-queries.ts";
import { meQuery } from "../api/queries.ts";
import type { Notification } from "../api/schema.d.ts";
import { useLatest } from "../hooks/use-latest.ts";
import { localPath } from "../paths.ts";
import { isToldHere, keepSeen } from "./notification-choice.ts";

/** Keeps the bell up to date, and shows browser notifications if the person chose that. */
export function useInbox(): void {
  const person = useQuery(meQuery).data?.id;
  const navigate = useNavigate();
  const cache = useQueryClient();
  const open = useLatest((one: Notification) => {
    void markRead(cache, one.id).catch(() => undefined);
    void navigate({ href: localPath(one.action_url) });
  });
  const stays = useCallback(() => person !== undefined && isToldHere(person), [person]);
  const hear = useCallback<HearInbox>(
    (now, before) => {
      if (!stays()) return;
      const load = import("./show-notification.ts");
      void load
        .then(({ showNotification }) => showNotification(now, before, (one) => open.current(one)))
        .catch(() => undefined);
    },
    [stays, open],
  );
  useLiveInbox(person, hear, stays);
  useEffect(() => keepSeen(() => cache.getQueryData(inboxQuery.queryKey)?.newest?.id), [cache]);
}
