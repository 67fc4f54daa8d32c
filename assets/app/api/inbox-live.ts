// The person's stream: the number of unread notifications, and the newest one. All tabs of a browser share it; a
// hidden page leaves it, unless it has to show notifications.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { whenIdle } from "../hooks/use-idle.ts";
import { makeDoubt } from "./doubt.ts";
import { inboxQuery, notificationLists } from "./notification-queries.ts";
import { liveWait, refresh } from "./refresh.ts";
import type { Inbox } from "./schema.d.ts";
import { joinStream } from "./shared-stream.ts";
import { openStream, type StreamEvent } from "./stream.ts";
import { throttle } from "./throttle.ts";
import { whileSeen } from "./while-seen.ts";

/** The minimum interval between refetches of lists, in milliseconds. */
const calm = 1_000;

/** Receives the inbox as it is now, and as it was before. */
export type HearInbox = (now: Inbox, before: Inbox | undefined) => void;

/** Follows the person's inbox while the caller is mounted; `stays` says whether to continue on a hidden page. */
export function useLiveInbox(person: number | undefined, hear: HearInbox, stays: () => boolean): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (person === undefined) return;
    let leave: (() => void) | undefined;
    // Started when idle, because the page itself is more urgent.
    const callOff = whenIdle(() => {
      leave = follow(person, cache, hear, stays);
    });
    return () => {
      callOff();
      leave?.();
    };
  }, [person, cache, hear, stays]);
}

function follow(person: number, cache: QueryClient, hearInbox: HearInbox, stays: () => boolean): () => void {
  let known: string | undefined;
  const doubt = makeDoubt();
  const stale = throttle<void>(calm, () => refresh(cache, [notificationLists]), liveWait);
  const told = (data: string) => {
    // A stream that reconnects repeats its last message.
    if (data === known) return;
    known = data;
    const before = cache.getQueryData(inboxQuery.queryKey);
    const now = JSON.parse(data) as Inbox;
    cache.setQueryData(inboxQuery.queryKey, now);
    stale();
    hearInbox(now, before);
  };
  const hear = (heard: StreamEvent) => {
    if (heard.kind === "lost") return doubt.begin();
    doubt.settle();
    if (heard.kind === "message") told(heard.message.data);
  };
  const end = whileSeen(() => {
    const leave = joinStream({
      name: `mayday.inbox.${person}`,
      open: (hear) => openStream(() => "/api/v1/me/stream", ["notification"], hear),
      last: () => undefined,
      isWhole: true,
      hear,
    });
    return () => {
      doubt.settle();
      leave();
    };
  }, stays);
  return () => {
    stale.stop();
    end();
  };
}
