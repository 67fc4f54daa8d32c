import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { agentSessionQuery } from "../../api/automation-queries.ts";
import { runningSessionsQuery } from "../../api/running-sessions.ts";
import { followSession } from "../../api/session-stream.ts";
import { whileSeen } from "../../api/while-seen.ts";
import { empty, type Timeline, withEntries } from "./timeline.ts";
import { type Block, withMessages } from "./transcript.ts";

export interface Followed {
  blocks: Block[];
  timeline: Timeline;
  /** The state of the live connection. */
  state: "connecting" | "live" | "lost" | "gone";
}

const nothing: Followed = { blocks: [], timeline: empty, state: "connecting" };

/** Follows a session: returns its growing transcript, and updates the session in the cache. */
export function useSession(organization: number, id: string): Followed {
  const cache = useQueryClient();
  const [followed, set] = useState(nothing);
  useEffect(() => {
    set(nothing);
    const { queryKey } = agentSessionQuery(organization, id);
    const be = (state: Followed["state"]) => set((before) => ({ ...before, state }));
    // A stream that was closed while the page was hidden starts again from the beginning.
    return whileSeen(() => {
      let isFirst = true;
      return followSession(organization, id, {
        open: () => be("live"),
        lost: () => be("lost"),
        gone: () => be("gone"),
        session: (session) => {
          const before = cache.getQueryData(queryKey);
          cache.setQueryData(queryKey, session);
          if (before && (before.status !== session.status || before.phase !== session.phase))
            void cache.invalidateQueries({ queryKey: runningSessionsQuery(organization).queryKey });
        },
        messages: (messages) => {
          const begins = isFirst;
          isFirst = false;
          set((before) => {
            const { blocks, timeline } = begins ? nothing : before;
            return { ...before, blocks: withMessages(blocks, messages), timeline: withEntries(timeline, messages) };
          });
        },
      });
    });
  }, [organization, id, cache]);
  return followed;
}
