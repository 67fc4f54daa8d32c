import type { Breadcrumb, MaydayEvent } from "../types.ts";
import { tags } from "./format.ts";

/** The tag and payload of a breadcrumb in a replay. */
export function entryOf(
  { category, message, level, data }: Breadcrumb,
  queries: boolean,
): [tag: string, payload: Record<string, unknown>] {
  const url = (value: unknown): string => bare(String(value ?? ""), queries);
  if (category === "console") return [tags.console, { level, message }];
  if (category === "navigation") return [tags.navigation, { from: url(data?.from), to: url(data?.to) }];
  if (category !== "fetch" && category !== "xhr") return [tags.crumb, { category, level, message }];
  const { method, status_code: status, duration } = data || {};
  return [tags.network, { kind: category, method, url: url(data?.url), status, duration }];
}

export const errorOf = ({ event_id, level, exception, message }: MaydayEvent): Record<string, unknown> => ({
  event_id,
  level,
  type: exception?.type,
  message: (exception?.message ?? message)?.slice(0, 1_024),
});

/** An address without its query and fragment, unless they are to be recorded. */
export const bare = (url: string, queries: boolean): string => (queries ? url : url.replace(/[?#].*/, ""));
