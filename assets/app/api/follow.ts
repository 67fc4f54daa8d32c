import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { useLatest } from "../hooks/use-latest.ts";
import { useNewEvents } from "./live.ts";
import { liveWait, refresh } from "./refresh.ts";

/** The minimum interval between refetches of event counts, in milliseconds. */
const pause = 10_000;

/** Marks answers as stale when the project gets new events, while the caller is mounted. */
export function useFollowEvents(project: number, key: QueryKey): void {
  const cache = useQueryClient();
  const held = useLatest(key);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hear = useCallback(() => {
    const ask = () => {
      const rest = liveWait();
      timer.current = rest > 0 ? setTimeout(ask, rest) : undefined;
      if (rest === 0) void refresh(cache, [held.current]);
    };
    timer.current ??= setTimeout(ask, pause);
  }, [cache, held]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useNewEvents(project, hear);
}
