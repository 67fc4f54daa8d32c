import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { eventReplayQuery } from "../../../api/replay-queries.ts";
import type { Event } from "../../../api/schema.d.ts";
import { firstSides } from "../logs/timeline.ts";
import { type Axis, AxisContext } from "./context.ts";
import { addressOf } from "./watch.ts";

/** The sections of an event that share its axis of time. */
export function Around({ event, children }: { event: Event; children: ReactNode }) {
  const { project_id: project, event_id, timestamp } = event;
  const [at, point] = useState<number>();
  const [sides, setSides] = useState(firstSides);
  const isOfWindow = Boolean(event.replay_id || (event.session_id && event.window_id));
  const { data } = useQuery({ ...eventReplayQuery(project, event_id), enabled: isOfWindow });
  const replay = data ?? undefined;
  const axis = useMemo<Axis>(() => {
    const watch = (moment: number) => replay && addressOf(project, replay, Date.parse(timestamp) + moment);
    return { at, point, sides, setSides, replay, watch };
  }, [at, sides, replay, project, timestamp]);
  return <AxisContext value={axis}>{children}</AxisContext>;
}
