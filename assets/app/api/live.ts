// The project's stream of changes: what it says makes kept answers stale, so that lists and counters
// follow without asking. A page that nobody sees closes it and catches up by the last event's id.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { refreshOlder } from "./asked.ts";
import { api, ok } from "./client.ts";
import { connected } from "./connection.ts";
import { isStatus } from "./error.ts";
import { issueKeys } from "./queries.ts";
import { liveWait, refresh } from "./refresh.ts";
import { sessionEnded } from "./session.ts";
import { throttle } from "./throttle.ts";

/** Lists are asked again at most this often, in milliseconds; with constant messages the budget sets the pace. */
const calm = 1_000;
/** How long the first questions of a project wait for its stream, in milliseconds: asked before, they are asked twice. */
const first = 150;
/** How long a hidden page keeps its stream: browsers give a site six connections over all tabs. */
const hiddenFor = 15_000;
/** How long a stream may be lost before somebody asks why, in milliseconds. */
const doubtful = 1_500;
/** Between attempts when the server refuses a stream, in milliseconds. */
const again = { first: 2_000, most: 60_000 };

export interface NewEvents {
  count: number;
  latest: { event_id: string; issue_id: number };
}
interface ChangedIssues {
  ids: number[];
  more: boolean;
}

type Listener = (events: NewEvents) => void;
const listeners = new Map<number, Set<Listener>>();

/**
 * Follows a project for as long as the caller is shown, which has to be drawn anew for another project.
 * Tells whether what is asked from now on misses nothing, or need not wait for that any longer.
 */
export function useLiveProject(project: number, enabled: boolean): boolean {
  const cache = useQueryClient();
  // What is known already is shown at once, and asked again where it is older than the stream.
  const [ready, setReady] = useState(() => document.visibilityState !== "visible" || isKnown(cache, project));
  useEffect(() => {
    if (!enabled) return;
    const settle = () => setReady(true);
    const timer = setTimeout(settle, first);
    const leave = follow(project, cache, settle);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [project, cache, enabled]);
  return ready;
}

/** Calls `hear` for new events of a project that is followed. */
export function useNewEvents(project: number, hear: Listener): void {
  useEffect(() => {
    const set = listeners.get(project) ?? new Set();
    listeners.set(project, set.add(hear));
    return () => {
      set.delete(hear);
    };
  }, [project, hear]);
}

function follow(project: number, cache: QueryClient, settled: () => void): () => void {
  let source: EventSource | undefined;
  let last: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let doubt: ReturnType<typeof setTimeout> | undefined;
  let wait = again.first;
  // One round after the other: on a slow line the next would take the answer from the one before.
  const stale = throttle(calm, (changes: ChangedIssues[]) => markStale(cache, project, changes), liveWait);

  const open = () => {
    clearTimeout(timer);
    if (source) return;
    const from = last === undefined ? "" : `?last_event_id=${encodeURIComponent(last)}`;
    source = new EventSource(`/api/v1/projects/${project}/stream${from}`);
    source.onopen = () => {
      wait = again.first;
      clearTimeout(doubt);
      connected();
      // What changed between answers that were asked for before and this moment was in no message.
      if (last === undefined) for (const key of keysOf(project)) void refreshOlder(cache, key, performance.now());
      settled();
    };
    source.addEventListener("issue", (message) => {
      last = message.lastEventId;
      stale(JSON.parse(message.data) as ChangedIssues);
    });
    source.addEventListener("event", (message) => {
      last = message.lastEventId;
      const events = JSON.parse(message.data) as NewEvents;
      for (const hear of listeners.get(project) ?? []) hear(events);
    });
    source.onerror = () => {
      settled();
      clearTimeout(doubt);
      doubt = setTimeout(() => void askWhy(), doubtful);
      // Lost connections come back by themselves; a refusal does not.
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, again.most);
    };
  };
  const close = () => {
    clearTimeout(timer);
    clearTimeout(doubt);
    source?.close();
    source = undefined;
  };
  const seen = () => {
    clearTimeout(timer);
    if (document.visibilityState === "visible") open();
    else timer = setTimeout(close, hiddenFor);
  };

  seen();
  document.addEventListener("visibilitychange", seen);
  return () => {
    document.removeEventListener("visibilitychange", seen);
    stale.stop();
    close();
  };
}

/** A stream that was lost says nothing of why: the server is gone, or the session has ended. */
async function askWhy(): Promise<void> {
  try {
    await ok(api.GET("/api/v1/me"));
  } catch (error) {
    if (isStatus(error, 401)) sessionEnded();
  }
}

const isKnown = (cache: QueryClient, project: number): boolean =>
  cache.getQueryCache().findAll({ queryKey: issueKeys.lists(project) }).some(({ state }) => state.data !== undefined);

/** Of everything that messages are about. */
const keysOf = (project: number) => [issueKeys.lists(project), ["project", project, "issue"]];

function markStale(cache: QueryClient, project: number, changes: ChangedIssues[]): Promise<void> {
  if (changes.some((change) => change.more)) return refresh(cache, keysOf(project));
  const ids = new Set(changes.flatMap((change) => change.ids));
  return refresh(cache, [issueKeys.lists(project), ...[...ids].map((id) => issueKeys.one(project, id))]);
}
