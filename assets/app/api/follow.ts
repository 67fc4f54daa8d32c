import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { useLatest } from "../hooks/use-latest.ts";
import { useNewEvents } from "./live.ts";
import { liveWait, refresh } from "./refresh.ts";

/** Answers that count events are asked again at most this often, in milliseconds. */
const pause = 10_000;

/** Makes answers stale when the project gets new events, for as long as the caller is shown. */
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
