// The counts of an issue in the list: in total, or within the list's limits.

import type { Issue } from "../../api/schema.d.ts";
import { environmentWords, isLimited, type Limits, limitWords } from "../../navigation/limits.ts";

/** Hours that each bar of a chart has, by the period. */
const bars = { "24h": "hour", "7d": "6 hours", "30d": "day" } as const;

export interface Counts {
  events: number;
  trend: number[];
  firstSeen: string;
  lastSeen: string;
}

export const countsOf = (issue: Issue): Counts => {
  const { event_count, trend, first_seen, last_seen } = issue.within ?? issue;
  return { events: event_count, trend, firstSeen: first_seen, lastSeen: last_seen };
};

/** Of which events the users of an issue are: all of them, whatever the list is limited to. Empty without limits. */
export function allUsersWords({ environment, period }: Limits): string {
  const words = [];
  if (environment !== undefined) words.push("in every environment");
  if (period !== undefined) words.push("at any time");
  return words.join(" ");
}

/** What a column is about in a list with limits, where its name alone would not say so. */
export interface Hints {
  events?: string;
  users?: string;
  lastSeen?: string;
  firstSeen?: string;
}

export function hintsOf(limits: Limits): Hints {
  const { environment, period } = limits;
  if (!isLimited(limits)) return {};
  const where = environment === undefined ? "" : ` in ${environmentWords(environment)}`;
  const before = period === undefined ? "" : ", also before this period";
  return {
    events: `Events ${limitWords(limits)}`,
    users: `Users ${allUsersWords(limits)}`,
    // The last event within a period is the last of all.
    ...(where !== "" && { lastSeen: `Last event${where}` }),
    firstSeen: `First event${where}${before}`,
  };
}

/** The chart's period in words, and the length of its bars. */
export const chartWords = ({ environment, period = "24h" }: Limits): { label: string; unit: string } => ({
  label: limitWords({ environment, period }),
  unit: bars[period],
});
