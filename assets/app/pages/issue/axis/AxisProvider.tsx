import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { eventReplayQuery } from "../../../api/replay-queries.ts";
import type { Event } from "../../../api/schema.d.ts";
import { believedLagOf } from "../../replay/data/clock.ts";
import { firstSides } from "../logs/timeline.ts";
import { byClock, clocksOf } from "./clocks.ts";
import { type Axis, AxisContext } from "./context.ts";
import { useHere } from "./use-here.ts";
import { addressOf } from "./watch.ts";

/** The sections of an event that share its axis of time. */
export function AxisProvider({ event, children }: { event: Event; children: ReactNode }) {
  const { project_id: project, event_id, timestamp, received_at } = event;
  const [at, look] = useState<number>();
  const [sides, setSides] = useState(firstSides);
  const isOfWindow = Boolean(event.replay_id || (event.session_id && event.window_id));
  const { data, isSuccess } = useQuery({
    ...eventReplayQuery(project, event_id, received_at),
    enabled: isOfWindow,
  });
  const lacksReplay = Boolean(event.replay_id) && isSuccess && !data;
  const clocks = useMemo(
    () => clocksOf({ timestamp, received_at }, data ? believedLagOf(data) : 0),
    [timestamp, received_at, data],
  );
  const replay = useMemo(() => (data ? byClock(data, clocks) : undefined), [data, clocks]);
  const time = Date.parse(timestamp);
  const here = useHere(replay, time, look);
  const axis = useMemo<Axis>(() => {
    const watch = (moment: number) => replay && addressOf(project, replay, time + moment);
    const ways = here.sent ? { point: ignored, choose: here.go } : { point: look, choose: look };
    return { at, ...ways, sides, setSides, clocks, replay, lacksReplay, watch, here };
  }, [at, sides, clocks, replay, lacksReplay, project, time, here]);
  return <AxisContext value={axis}>{children}</AxisContext>;
}

const ignored = () => {};
