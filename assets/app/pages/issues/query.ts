// The query language of the list, as far as the page edits it: the server reads it and has the last word.

import { unresolvedOnly } from "../../api/queries.ts";

/** One term of a query with its place in the text. */
export interface Term {
  text: string;
  start: number;
  end: number;
}

export const defaultQuery = unresolvedOnly;

/** Splits a query into its terms; quotes hold words together. */
export function terms(query: string): Term[] {
  const found: Term[] = [];
  for (const match of query.matchAll(/(?:"[^"]*"|[^\s"])+|"[^"]*$/g)) {
    found.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** The term that the caret is in or right behind, or an empty one where it stands free. */
export function termAt(query: string, caret: number): Term {
  const term = terms(query).find(({ start, end }) => start <= caret && caret <= end);
  return term ?? { text: "", start: caret, end: caret };
}

export const views = ["unresolved", "resolved", "ignored", "all"] as const;
export type View = (typeof views)[number];

const statusTerm = /^(?:is|status):(unresolved|resolved|ignored)$/i;

/** Which status the query asks for; `undefined` where it asks for several or excludes some. */
export function viewOf(query: string): View | undefined {
  const all = terms(query);
  if (all.some(({ text }) => /^-(?:is|status):|^status:.*,/i.test(text))) return undefined;
  const named = all.map(({ text }) => statusTerm.exec(text)?.[1]?.toLowerCase()).filter((word) => word !== undefined);
  if (named.length === 0) return "all";
  return named.length === 1 ? (named[0] as View) : undefined;
}

/** The query with its status terms replaced by one. */
export function withView(query: string, view: View): string {
  const rest = terms(query).filter(({ text }) => !/^-?(?:is:(?:unresolved|resolved|ignored)|status:\S*)$/i.test(text));
  const words = rest.map(({ text }) => text);
  return (view === "all" ? words : [`is:${view}`, ...words]).join(" ");
}

/** `key:value`, quoted where the value needs it. A quote cannot be written within quotes. */
export function term(key: string, value: string): string {
  const clean = value.replaceAll('"', " ").trim();
  return /\s|^$/.test(clean) || clean !== value ? `${key}:"${clean}"` : `${key}:${clean}`;
}

/** The query with a term put in the place of another; a space follows so that one can go on. */
export function replaced(query: string, old: Term, text: string): { query: string; caret: number } {
  const after = query.slice(old.end).trimStart();
  const head = `${query.slice(0, old.start)}${text}${text.endsWith(":") ? "" : " "}`;
  return { query: head + after, caret: head.length };
}
