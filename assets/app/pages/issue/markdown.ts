// The issue as a report for a person or an agent. All text from outside is in fences, or on one escaped line, so that
// it cannot become markup or a heading.

import { isBranch } from "../../api/exact-json.ts";
import type { Crumb, Event, ExceptionView, FrameView, Issue, LogEntry, Tag } from "../../api/schema.d.ts";
import { counted, utc } from "../../ui/format.ts";
import { oneLine, visible } from "../../ui/visible.ts";
import { crumbWords, hasMore } from "./details/crumb-words.ts";
import { distance } from "./details/crumbs.ts";
import { nearest } from "./logs/timeline.ts";
import { cutJson } from "./report-json.ts";
import { leavingOut, leftOut, naming, withoutBegin } from "./report-people.ts";
import { chain, functionOf, linkWords, placeOf, type DisplayedFrame, shown, unresolvedOf } from "./stack/frames.ts";
import { cutLine } from "./stack/pieces.ts";

/** Frames with source and variables, frames at all, breadcrumbs, and characters of one text: a report is read. */
const limits = { withSource: 10, frames: 60, crumbs: 50, text: 4_000, vars: 500, json: 8_000, logs: 10 };

export interface Report {
  issue: Issue;
  event: Event;
  tags: Tag[];
  url: string;
  /** Entries of the event's trace around it. */
  logs?: readonly LogEntry[];
  /** Names and e-mail addresses of people are part of it, and the account. */
  withPeople?: boolean;
}

/** A fenced text, with a fence longer than any run of backticks in it. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Somebody's text within a line: in backticks, one more than it has. */
export function inline(text: string, cut: Cut = cutText): string {
  const line = cut(oneLine(text), 500);
  if (line === "") return "–";
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** Cuts a text to a number of characters, and says how many are left out. A value is a text of its own, not prose. */
type Cut = (text: string, most: number, isValue?: boolean) => string;

export const cutText: Cut = (text, most) => {
  if (text.length <= most) return text;
  // Never between the halves of a character.
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}… (${counted(text.length - end, "more character")})`;
};

/** Everything that helps to find the cause, as Markdown. */
export function markdown({ issue, event, tags, url, logs = [], withPeople = false }: Report): string {
  const message = event.exception?.message ?? event.message ?? issue.message;
  // What is left of a person's address after a cut would not be known as one. Whatever cuts a text takes this.
  const withoutPeople = leavingOut(event.user);
  const isName = naming(event.user);
  const cutOf: Cut = (text, most, isValue) =>
    isValue && isName(text) ? "[name]" : cutText(withoutPeople(withoutBegin(text)), most);
  const cut = withPeople ? cutText : cutOf;
  const report = [
    `# ${issue.short_id}: ${inline(issue.type || "message")}`,
    ...(message ? [fenced(visible(cut(message, limits.text)), "text")] : []),
    facts(issue, event, url, cut),
    ...(withPeople ? [] : [`Left out: ${leftOut}`]),
    ...stack(event, cut),
    ...section("Breadcrumbs", crumbs(event, cut)),
    ...section("Logs of the trace", logLines(event, logs, cut)),
    ...section("Tags", tagLines(event, tags, cut)),
    ...section("Request", request(event, withPeople, cut)),
  ].join("\n\n");
  // JSON stays JSON: people are left out of its texts alone.
  const values = [...json("Contexts", event.contexts, cut), ...json("Extra", event.extra, cut)];
  return `${[withPeople ? report : withoutPeople(report), ...values].join("\n\n")}\n`;
}

/** Cuts nothing, and leaves out people as the cut does. */
const uncut = (text: string, cut: Cut, isValue = false): string => cut(text, Number.POSITIVE_INFINITY, isValue);

const asValue =
  (cut: Cut): Cut =>
  (text, most) =>
    cut(text, most, true);

function facts(issue: Issue, event: Event, url: string, cut: Cut): string {
  const rows: [string, string | null][] = [
    ["Location", issue.culprit && inline(issue.culprit, cut)],
    ["Level", issue.level],
    ["Status", [issue.status, issue.substatus].filter(Boolean).join(", ")],
    [
      "Events",
      `${issue.event_count}, ${issue.user_count === 0 ? "users unknown" : `${counted(issue.user_count, "user")} affected`}`,
    ],
    ["First seen", at(issue.first_seen, issue.first_release)],
    ["Last seen", at(issue.last_seen, issue.last_release)],
    ["This event", `${inline(event.event_id)}, ${utc(Date.parse(event.timestamp))}`],
    ["Release", event.release && inline(event.release)],
    ["Environment", inline(event.environment)],
    ["Link", `<${url}>`],
  ];
  return rows.flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : [])).join("\n");
}

const at = (time: string, release: string | null): string =>
  `${utc(Date.parse(time))}${release === null ? "" : `, in ${inline(release)}`}`;

function stack(event: Event, cut: Cut): string[] {
  let room = limits.withSource;
  return chain(event.exception).flatMap((exception, index, all) => {
    const link = linkWords(index, all);
    const title = `## ${link ?? "Stack, most recent call first"}`;
    const text = exceptionText(exception, link !== undefined, () => room-- > 0, cut);
    return text === "" ? [] : [title, fenced(text, "text")];
  });
}

function exceptionText(exception: ExceptionView, isNamed: boolean, hasRoom: () => boolean, cut: Cut): string {
  const title = `${exception.type ?? "Error"}: ${exception.message ?? ""}`;
  const frames = exception.frames.slice(0, limits.frames).map((frame) => frameText(frame, hasRoom, cut));
  const more = exception.frames.length - frames.length;
  const raw = frames.length === 0 && exception.stack ? [visible(cut(exception.stack, limits.text))] : [];
  return [
    ...(isNamed ? [visible(cut(title, limits.text))] : []),
    ...frames,
    ...raw,
    ...(more > 0 ? [`… ${counted(more, "more frame")}`] : []),
  ].join("\n");
}

function frameText(frame: FrameView, hasRoom: () => boolean, cut: Cut): string {
  const view = shown(frame, "original");
  const note = unresolvedOf(frame) ? " [not resolved]" : frame.in_app ? "" : " [library]";
  const head = `at ${oneLine(functionOf(view))} (${oneLine(placeOf(view))})${note}`;
  const vars = frame.vars ? [`    vars: ${cut(oneLine(JSON.stringify(told(frame.vars, cut))), limits.vars)}`] : [];
  if (!frame.in_app || !(view.source || frame.vars) || !hasRoom()) return head;
  return [head, ...sourceLines(view, cut), ...vars].join("\n");
}

function sourceLines({ source }: DisplayedFrame, cut: Cut): string[] {
  if (source === undefined) return [];
  const first = source.start ?? 1;
  const width = String(first + source.lines.length - 1).length;
  return source.lines.map((line, index) => {
    const thrown = index === source.thrown;
    const text = visible(sourceLine(line, thrown ? source.at : undefined, cut));
    return `  ${thrown ? ">" : " "} ${(source.start === undefined ? "" : String(first + index)).padStart(width)} | ${text}`;
  });
}

/** A line as far as it is shown, around the column if there is one. */
function sourceLine(line: string, at: number | undefined, cut: Cut): string {
  const whole = uncut(line, cut);
  // What is left out before the column moves it.
  const moved = at === undefined ? undefined : uncut(line.slice(0, at), cut).length;
  return cutLine(whole, moved).text;
}

const section = (title: string, text: string): string[] => (text === "" ? [] : [`## ${title}`, text]);

function crumbs(event: Event, cut: Cut): string {
  const lines = event.breadcrumbs.slice(-limits.crumbs).map((sent) => {
    // Its words cut single values.
    const crumb: Crumb = { ...sent, message: sent.message && uncut(sent.message, cut), data: told(sent.data, cut) };
    const { text } = crumbWords(crumb, event.url);
    const data = hasMore(crumb, text, event.url) ? ` ${cut(JSON.stringify(crumb.data), 300)}` : "";
    const level = crumb.level && crumb.level !== "info" ? ` [${crumb.level}]` : "";
    const words = `${crumb.category ?? crumb.type ?? "default"}${level}: ${text ?? ""}${data}`;
    return `${(distance(crumb.timestamp, event.timestamp) ?? "").padStart(10)}  ${cut(oneLine(words), 500)}`;
  });
  return lines.length === 0 ? "" : fenced(lines.join("\n"), "text");
}

/** Some JSON whose texts leave out people as the cut does. */
function told<T>(json: T, cut: Cut): T {
  const of = (value: unknown): unknown => {
    if (typeof value === "string") return uncut(value, cut, true);
    if (Array.isArray(value)) return value.map(of);
    if (!isBranch(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, of(each)]));
  };
  return of(json) as T;
}

/** The log entries of the same request around the error. */
function logLines(event: Event, logs: readonly LogEntry[], cut: Cut): string {
  const lines = nearest(logs, event.timestamp, limits.logs).map(({ timestamp, level, logger_name, message }) => {
    const words = `${level}${logger_name === null ? "" : ` ${logger_name}`}: ${message}`;
    return `${(distance(timestamp, event.timestamp) ?? "").padStart(10)}  ${cut(oneLine(words), 500)}`;
  });
  return lines.length === 0 ? "" : fenced(lines.join("\n"), "text");
}

/** This event's tags, with how many of the issue's events have the same. */
function tagLines(event: Event, tags: Tag[], cut: Cut): string {
  return Object.entries(event.tags)
    .map(([key, value]) => {
      const tag = tags.find(({ facet }) => facet === `tag.${key}`);
      const count = tag?.values.find((each) => each.value === value)?.count;
      const share = tag && count !== undefined ? ` (${count} of ${tag.total} events)` : "";
      return `- ${inline(key, cut)}: ${inline(value, asValue(cut))}${share}`;
    })
    .join("\n");
}

function request(event: Event, withPeople: boolean, cut: Cut): string {
  const told = <T>(...values: (T | null | undefined)[]) => values.filter(Boolean).join(", ");
  const rows: [string, string | null | undefined][] = [
    ["URL", event.url],
    ["User agent", event.user_agent],
    ["User", event.user && told(event.user.id, ...(withPeople ? [event.user.name, event.user.email] : []))],
    ["Account", withPeople && event.account ? told(event.account.id, event.account.name) : null],
    ["Trace", event.trace_id],
  ];
  return rows.flatMap(([name, value]) => (value ? [`- ${name}: ${inline(value, asValue(cut))}`] : [])).join("\n");
}

function json(title: string, value: object, cut: Cut): string[] {
  if (Object.keys(value).length === 0) return [];
  const text = cutJson(value, limits.json, (each, isValue) => uncut(each, cut, isValue));
  return section(title, fenced(text, "json"));
}
