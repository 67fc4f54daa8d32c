// The project's stream of changes: what it says makes kept answers stale, so that lists and counters
// follow without asking. All tabs of a browser share it; a page that nobody sees leaves it, and catches up by the
// last event's id.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { refreshOlder } from "./asked.ts";
import { api, ok } from "./client.ts";
import { connected } from "./connection.ts";
import { earlyList, forgetEarly } from "./early.ts";
import { isStatus } from "./error.ts";
import { issueKeys } from "./queries.ts";
import { liveWait, refresh } from "./refresh.ts";
import { sessionEnded } from "./session.ts";
import { joinStream } from "./shared-stream.ts";
import { type Heard, type Message, openStream } from "./stream.ts";
import { throttle } from "./throttle.ts";

/** Lists are asked again at most this often, in milliseconds; with constant messages the budget sets the pace. */
const calm = 1_000;
/** How long the first questions of a project wait for its stream, in milliseconds: asked before, they are asked twice. */
const first = 150;
/** How long a hidden page keeps its stream: browsers give a site six connections over all tabs. */
const hiddenFor = 15_000;
/** How long a stream may be lost before somebody asks why, in milliseconds. */
const doubtful = 1_500;

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
  // What is known already, or was asked for early, is shown at once, and asked again where it is older than the stream.
  const [ready, setReady] = useState(
    () => document.visibilityState !== "visible" || isKnown(cache, project) || earlyList()?.project === project,
  );
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
  let leave: (() => void) | undefined;
  let last: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let doubt: ReturnType<typeof setTimeout> | undefined;
  // One round after the other: on a slow line the next would take the answer from the one before.
  const stale = throttle(calm, (changes: ChangedIssues[]) => markStale(cache, project, changes), liveWait);

  const opened = () => {
    clearTimeout(doubt);
    connected();
    forgetEarly();
    // What changed between answers that were asked for before and this moment was in no message.
    if (last === undefined) for (const key of keysOf(project)) void refreshOlder(cache, key, performance.now());
    settled();
  };
  const told = ({ type, id, data }: Message) => {
    last = id;
    if (type === "issue") return stale(JSON.parse(data) as ChangedIssues);
    const events = JSON.parse(data) as NewEvents;
    for (const hear of listeners.get(project) ?? []) hear(events);
  };
  const hear = (heard: Heard) => {
    if (heard.kind === "open") return opened();
    if (heard.kind === "message") return told(heard.message);
    settled();
    clearTimeout(doubt);
    if (heard.kind === "lost") doubt = setTimeout(() => void askWhy(), doubtful);
  };
  const join = () => {
    clearTimeout(timer);
    const known = () => last;
    leave ??= joinStream({
      name: `mayday.stream.${project}`,
      open: (hear) => openStream(project, known, hear),
      last: known,
      hear,
    });
  };
  const close = () => {
    clearTimeout(timer);
    clearTimeout(doubt);
    leave?.();
    leave = undefined;
  };
  const seen = () => {
    clearTimeout(timer);
    if (document.visibilityState === "visible") join();
    else timer = setTimeout(close, hiddenFor);
  };

  seen();
  document.addEventListener("visibilitychange", seen);
  document.addEventListener("freeze", close);
  document.addEventListener("resume", seen);
  return () => {
    document.removeEventListener("visibilitychange", seen);
    document.removeEventListener("freeze", close);
    document.removeEventListener("resume", seen);
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
  cache
    .getQueryCache()
    .findAll({ queryKey: issueKeys.lists(project) })
    .some(({ state }) => state.data !== undefined);

/** Of everything that messages are about. */
const keysOf = (project: number) => [issueKeys.lists(project), ["project", project, "issue"]];

function markStale(cache: QueryClient, project: number, changes: ChangedIssues[]): Promise<void> {
  if (changes.some((change) => change.more)) return refresh(cache, keysOf(project));
  const ids = new Set(changes.flatMap((change) => change.ids));
  return refresh(cache, [issueKeys.lists(project), ...[...ids].map((id) => issueKeys.one(project, id))]);
}
