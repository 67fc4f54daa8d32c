// Describes a breadcrumb in one line: senders put its parts into `data` under various names, often without a message.

import { isBranch, isNumber } from "../../../api/exact-json.ts";
import type { Crumb } from "../../../api/schema.d.ts";

export type CrumbKind = "request" | "navigation" | "user" | "console" | "query" | "error" | "other";

export interface CrumbWords {
  kind: CrumbKind;
  /** `undefined` if a breadcrumb has nothing but its category. */
  text: string | undefined;
  /** A request that was answered with an error, or not at all. */
  failed: boolean;
}

type Data = Record<string, unknown>;

/**
 * Recognized by category and type, in this order: a type belongs to the sender's protocol, a category may be any
 * text.
 */
const kinds: [CrumbKind, RegExp][] = [
  ["user", /\b(ui|gui|click|touch|tap|input|submit|keypress|user)\b/i],
  ["navigation", /\b(navigation|navigate|route|router|pageview)\b/i],
  ["request", /\b(fetch|xhr|https?|request|httplib|axios|resource)\b/i],
  ["console", /\b(console|log|logger|debug)\b/i],
  ["query", /\b(query|db|sql|database)\b/i],
  ["error", /\b(error|exception)\b/i],
];

/** The most values of `data` that replace a missing message, and characters of each. */
const pairsMax = 4;
const valueMax = 300;
/** The most values that are compared with the line. */
const leavesMax = 40;

export function crumbWords(crumb: Crumb, page: string | null = null): CrumbWords {
  const data = dataOf(crumb);
  const kind = kindOf(crumb, data);
  const message = crumb.message?.trim() ? crumb.message : undefined;
  const own = tellers[kind](data, message, page);
  return { kind, text: own ?? message ?? pairs(data), failed: kind === "request" && hasFailed(data) };
}

/** Whether `data` has anything that the line does not show. */
export function hasMore(crumb: Crumb, text: string | undefined, page: string | null = null): boolean {
  const all = leaves(crumb.data);
  if (all.length > leavesMax) return true;
  const told = (text ?? "").toLowerCase();
  return all.some((leaf) => leaf !== crumb.category && !told.includes(shortUrl(leaf, page).toLowerCase()));
}

type Teller = (data: Data, message: string | undefined, page: string | null) => string | undefined;

const tellers: Record<CrumbKind, Teller> = {
  request: requestWords,
  navigation: navigationWords,
  user: userWords,
  console: consoleWords,
  query: queryWords,
  error: errorWords,
  other: () => undefined,
};

function kindOf({ category, type }: Crumb, data: Data): CrumbKind {
  const named = [category, type]
    .map((name) => kinds.find(([, words]) => words.test(name ?? ""))?.[0])
    .find((kind) => kind !== undefined);
  if (named !== undefined) return named;
  if (urlOf(data) !== undefined && (statusOf(data) !== undefined || methodOf(data) !== undefined)) return "request";
  return "from" in data && "to" in data ? "navigation" : "other";
}

const methodOf = (data: Data) => first(data, "method", "http.method", "http.request.method");
const urlOf = (data: Data) => first(data, "url", "http.url", "url.full", "href");
const statusOf = (data: Data) =>
  first(data, "status_code", "status", "statusCode", "http.response.status_code", "http.status_code", "http.status");
const durationOf = (data: Data) => first(data, "duration", "duration_ms", "durationMs", "elapsed", "elapsed_ms");

/** `GET /api/search 200 · 580 ms`. */
function requestWords(data: Data, message: string | undefined, page: string | null): string | undefined {
  const [method, url, status] = [methodOf(data), urlOf(data), statusOf(data)];
  const answer = status === "0" ? "no answer" : status;
  if (url === undefined || (message?.includes(url) && message !== url))
    return withTail(message, answer, duration(data));
  const head = [method?.toUpperCase(), shortUrl(url, page), answer].filter(Boolean).join(" ");
  return [head, duration(data), ...said(message, url, method)].filter(Boolean).join(" · ");
}

function withTail(message: string | undefined, ...tail: (string | undefined)[]): string | undefined {
  if (message === undefined) return undefined;
  return [message, ...tail.filter((part) => part !== undefined && !message.includes(part))].join(" · ");
}

function hasFailed(data: Data): boolean {
  const status = statusOf(data);
  return status !== undefined && /^\d+$/.test(status) && (status === "0" || Number(status) >= 400);
}

/** `/a → /b`. */
function navigationWords(data: Data, message: string | undefined, page: string | null): string | undefined {
  const to = first(data, "to", "url", "href");
  if (to === undefined) return message;
  const from = first(data, "from");
  return [from === undefined ? undefined : shortUrl(from, page), "→", shortUrl(to, page)].filter(Boolean).join(" ");
}

/** `“Buy now” button#buy`: the visible text, then the element. */
function userWords(data: Data, message: string | undefined): string | undefined {
  const label = first(data, "label", "text", "aria-label", "title", "name", "ui.component_name", "component");
  const place =
    first(data, "selector", "target", "element", "path", "view.id", "view.tag", "view.class", "id", "tag") ?? message;
  if (label === undefined) return place === undefined ? undefined : [place, ...said(message, place)].join(" · ");
  const rest = place === undefined || place === label ? [] : [place];
  return [`“${label}”`, ...rest, ...said(message, label, place)].join(" ");
}

/** The message, unless other parts already say the same. */
const said = (message: string | undefined, ...parts: (string | undefined)[]): string[] =>
  message === undefined || parts.some((part) => part?.includes(message)) ? [] : [message];

/** The message; its arguments if the message lost them. */
function consoleWords(data: Data, message: string | undefined): string | undefined {
  const given = data.arguments ?? data.args;
  if (!Array.isArray(given) || given.length === 0) return message;
  return message === undefined || message.includes("[object ") ? given.map(value).join(" ") : message;
}

/** `select 1 · 12 ms`. */
function queryWords(data: Data, message: string | undefined): string | undefined {
  const text = first(data, "query", "sql", "statement", "db.statement", "db.query.text") ?? message;
  return withTail(text, duration(data));
}

/** `TypeError: it is not there`. */
function errorWords(data: Data, message: string | undefined): string | undefined {
  const type = first(data, "type", "name", "exception.type");
  const text = first(data, "message", "value", "exception.message") ?? message;
  if (type === undefined || text === undefined) return text ?? type;
  return text.startsWith(type) ? text : `${type}: ${text}`;
}

/** `state: foreground · level: 40`: for unknown breadcrumbs. */
function pairs(data: Data): string | undefined {
  const all = Object.entries(data).filter(([, each]) => each !== null && each !== "");
  if (all.length === 0) return undefined;
  const shown = all.slice(0, pairsMax).map(([name, each]) => `${name}: ${value(each)}`);
  return [...shown, ...(all.length > pairsMax ? ["…"] : [])].join(" · ");
}

/** Milliseconds, as senders measure; a text has its unit. */
function duration(data: Data): string | undefined {
  const given = durationOf(data);
  const ms = Number(given);
  if (given === undefined || given === "" || !Number.isFinite(ms)) return given;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** How long it took what ended with the crumb, in milliseconds, where it says so. */
export function lastedOf(crumb: Crumb): number | undefined {
  const ms = Number(durationOf(dataOf(crumb)));
  return ms > 0 && Number.isFinite(ms) ? ms : undefined;
}

/** An address without its origin where that is the page's. */
function shortUrl(url: string, page: string | null): string {
  const own = page === null ? undefined : /^https?:\/\/[^/?#]+/i.exec(page)?.[0];
  if (own === undefined || !url.toLowerCase().startsWith(own.toLowerCase())) return url;
  const rest = url.slice(own.length);
  if (rest === "") return "/";
  return /^[/?#]/.test(rest) ? rest : url;
}

/** The first of the names that has a text, number or boolean. */
function first(data: Data, ...names: string[]): string | undefined {
  const found = names.map((name) => (Object.hasOwn(data, name) ? data[name] : undefined)).find(isPlain);
  return found === undefined ? undefined : String(found);
}

const isPlain = (each: unknown): boolean =>
  (typeof each === "string" && each.trim() !== "") || isNumber(each) || typeof each === "boolean";

function value(each: unknown): string {
  const text = typeof each === "string" ? each : (JSON.stringify(each) ?? String(each));
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}

function dataOf({ data }: Crumb): Data {
  const given: unknown = data;
  if (given === null || given === undefined || given === "" || (Array.isArray(given) && given.length === 0)) return {};
  return isBranch(given) && !Array.isArray(given) ? (given as Data) : { data: given };
}

/** Every text, number and boolean in some JSON, a few more than are looked at. */
function leaves(json: unknown, found: string[] = []): string[] {
  if (found.length > leavesMax || json === null || json === undefined || json === "") return found;
  if (!isBranch(json)) found.push(String(json));
  else for (const each of Object.values(json)) leaves(each, found);
  return found;
}
