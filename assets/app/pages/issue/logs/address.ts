import type { Event } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { term } from "../../logs/terms.ts";
import { around } from "./timeline.ts";

/** The address of the log explorer with the event's trace, at one of the entries; undefined without a trace. */
export function traceAddress({ project_id, trace_id, timestamp }: Event, entry?: number): string | undefined {
  if (!trace_id) return undefined;
  const time = Date.parse(timestamp);
  return paths.logs(project_id, {
    query: term("trace", trace_id),
    from: new Date(time - around).toISOString(),
    to: new Date(time + around).toISOString(),
    entry,
  });
}
