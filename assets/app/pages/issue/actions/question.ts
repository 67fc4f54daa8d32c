// Ways of resolving and ignoring that need a value, and what is checked about it.

import type { Change } from "../../../api/schema.d.ts";
import { ago, counted, day, local } from "../../../ui/format.ts";
import { parseMoment } from "../../../ui/moment.ts";
import { required } from "../../../ui/rules.ts";

export type Question = "version" | "until" | "events" | "users";

/** The server's limit on additional events or users. */
export const moreMax = 1_000_000;

/** What is wrong with the value that was entered. */
export function valueProblem(question: Question, value: string, now: number): string | undefined {
  if (question === "version") return required(value, "Enter a version.");
  if (question === "until") return (parseMoment(value, now) ?? now) <= now ? "Enter a time in the future." : undefined;
  const count = Number(value);
  const isGood = Number.isInteger(count) && count >= 1 && count <= moreMax;
  return isGood ? undefined : "Enter a whole number from 1 to 1,000,000.";
}

/** The time that was typed so far; without one, what may be typed. */
export function untilWords(text: string, now: number): string {
  const time = parseMoment(text, now);
  if (time !== undefined) return `${local(time)}, ${ago(time, now)}`;
  return `Such as tomorrow 09:00, in 3 days, or ${day(now + 7 * 86_400_000)}, 14:05`;
}

/** The change for a value without a problem. */
export function asChange(question: Question, value: string, now: number): Change {
  if (question === "version") return { status: "resolved", resolved_in_release: value.trim() };
  if (question === "until")
    return { status: "ignored", ignore_until: new Date(parseMoment(value, now) ?? now).toISOString() };
  return { status: "ignored", [question === "events" ? "ignore_events" : "ignore_users"]: Number(value) };
}

/** What an answer did to several issues, after their number: `ignored until 100 more events`. */
export function ignoredWords({ ignore_until, ignore_events, ignore_users }: Change): string {
  if (ignore_until != null) return `ignored until ${local(Date.parse(ignore_until))}`;
  if (ignore_events != null) return `ignored until ${counted(ignore_events, "more event")}`;
  return ignore_users != null ? `ignored until ${counted(ignore_users, "more user")}` : "ignored";
}
