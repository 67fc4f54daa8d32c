// The person's stream: how many notifications are not read, and the newest one. All tabs of a browser share it; a page
// that nobody sees leaves it, unless it is to tell of what comes.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { whenIdle } from "../hooks/use-idle.ts";
import { makeDoubt } from "./doubt.ts";
import { inboxQuery, notificationLists } from "./notification-queries.ts";
import { liveWait, refresh } from "./refresh.ts";
import type { Inbox } from "./schema.d.ts";
import { joinStream } from "./shared-stream.ts";
import { type Heard, openStream } from "./stream.ts";
import { throttle } from "./throttle.ts";
import { whileSeen } from "./while-seen.ts";

/** Lists are asked again at most this often, in milliseconds. */
const calm = 1_000;

/** Hears what the inbox is like now, and what it was like before. */
export type HearInbox = (now: Inbox, before: Inbox | undefined) => void;

/** Follows what the person is told for as long as the caller is shown; `stays` says whether a hidden page does, too. */
export function useLiveInbox(person: number | undefined, hear: HearInbox, stays: () => boolean): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (person === undefined) return;
    let leave: (() => void) | undefined;
    // Nobody waits for it as they wait for the page.
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
    // A stream that comes back says again what it said before.
    if (data === known) return;
    known = data;
    const before = cache.getQueryData(inboxQuery.queryKey);
    const now = JSON.parse(data) as Inbox;
    cache.setQueryData(inboxQuery.queryKey, now);
    stale();
    hearInbox(now, before);
  };
  const hear = (heard: Heard) => {
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
