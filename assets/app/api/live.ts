// The project's stream of changes: what it says makes kept answers stale, so that lists and counters
// follow without asking. All tabs of a browser share it; a page that nobody sees leaves it, and catches up by the
// last event's id.

import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isStatus } from "./error.ts";
import { refreshOlder } from "./invalidation.ts";
import { connected } from "./connection.ts";
import { makeDoubt } from "./doubt.ts";
import { earlyList, forgetEarly } from "./early.ts";
import { unresolvedCountQuery } from "./issue-count.ts";
import { issueKeys, issuesQuery, unresolvedOnly } from "./queries.ts";
import { liveWait, refresh } from "./refresh.ts";
import { joinStream } from "./shared-stream.ts";
import { type Message, openStream, type StreamEvent } from "./stream.ts";
import { throttle } from "./throttle.ts";
import { whileSeen } from "./while-seen.ts";

/** Lists are asked again at most this often, in milliseconds; with constant messages the budget sets the pace. */
const calm = 1_000;
/** How long the first questions of a project wait for its stream, in milliseconds: asked before, they are asked twice. */
const first = 150;

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

/** The list that was asked for early, which names the position of the stream that follows on it. */
interface Start {
  position: string;
  /** When it was there, in milliseconds since the page was opened. */
  at: number;
  /** The keys of what has been answered with it. */
  answers: QueryKey[];
}

/** Waits for the list, if it was asked for early; `undefined` where there is none. */
async function findStart(project: number, cache: QueryClient): Promise<Start | undefined> {
  const list = earlyList();
  if (list?.project !== project) return undefined;
  const query = issuesQuery(project, list.filters, 0);
  if (!isStatus(cache.getQueryState(query.queryKey)?.error, 422)) await cache.prefetchQuery(query);
  const position = cache.getQueryData(query.queryKey)?.position;
  const isCounted = list.filters.query === unresolvedOnly;
  const answers = [query.queryKey, ...(isCounted ? [unresolvedCountQuery(project, list.filters).queryKey] : [])];
  return position === undefined ? undefined : { position, at: performance.now(), answers };
}

function follow(project: number, cache: QueryClient, settled: () => void): () => void {
  let start: Start | undefined;
  let last: string | undefined;
  const doubt = makeDoubt();
  // One round after the other: on a slow line the next would take the answer from the one before.
  const stale = throttle(calm, (changes: ChangedIssues[]) => markStale(cache, project, changes), liveWait);

  const opened = () => {
    doubt.settle();
    connected();
    forgetEarly();
    // What changed between answers that were asked for before and the stream's beginning is in no message.
    const begin = start?.at ?? (last === undefined ? performance.now() : 0);
    for (const key of keysOf(project)) void refreshOlder(cache, key, begin, start?.answers);
    start = undefined;
    settled();
  };
  const told = ({ type, id, data }: Message) => {
    last = id;
    if (type === "issue") return stale(JSON.parse(data) as ChangedIssues);
    const events = JSON.parse(data) as NewEvents;
    for (const hear of listeners.get(project) ?? []) hear(events);
  };
  const hear = (heard: StreamEvent) => {
    if (heard.kind === "open") return opened();
    if (heard.kind === "message") return told(heard.message);
    settled();
    if (heard.kind === "lost") doubt.begin();
    else doubt.settle();
  };
  const known = () => last;
  const address = () => {
    const from = last === undefined ? "" : `?last_event_id=${encodeURIComponent(last)}`;
    return `/api/v1/projects/${project}/stream${from}`;
  };
  const join = () => {
    const leave = joinStream({
      name: `mayday.stream.${project}`,
      open: (hear) => openStream(address, ["issue", "event"], hear),
      last: known,
      hear,
    });
    return () => {
      doubt.settle();
      leave();
    };
  };
  let end: (() => void) | undefined;
  let hasLeft = false;
  void findStart(project, cache).then((found) => {
    if (hasLeft) return;
    start = found;
    last = found?.position;
    end = whileSeen(join);
  });
  return () => {
    hasLeft = true;
    stale.stop();
    end?.();
  };
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
