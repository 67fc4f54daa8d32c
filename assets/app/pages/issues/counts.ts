// The counts of an issue in the list: in total, or within the list's limits.

import type { Issue } from "../../api/schema.d.ts";
import { type Limits, limitWords } from "../lists/limits.ts";

/** Hours that each bar of a chart has, by the period. */
const bars = { "24h": "hour", "7d": "6 hours", "30d": "day" } as const;

export interface Counts {
  events: number;
  trend: number[];
}

export const countsOf = ({ within, event_count, trend }: Issue): Counts =>
  within ? { events: within.event_count, trend: within.trend } : { events: event_count, trend };

/** The chart's period in words, and the length of its bars. */
export const chartWords = ({ environment, period = "24h" }: Limits): { label: string; unit: string } => ({
  label: limitWords({ environment, period }),
  unit: bars[period],
});
