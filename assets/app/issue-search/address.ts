// The list's address: the status, which has its own control, and the words of the search (the server reads both as
// one query); the environment and the period.

import { type IssueFilters, unresolvedOnly } from "../api/queries.ts";
import { type Limits, limitsOf } from "../navigation/limits.ts";
import type { Search } from "../search-params.ts";
import { terms } from "./query.ts";

const sorts = ["first_seen", "events", "users"] as const;
export const statuses = ["unresolved", "resolved", "ignored", "all"] as const;
export type Status = (typeof statuses)[number];

/** The state of the list of issues, all of it in the address. */
export interface IssueSearch extends Limits {
  /** Without one, `query` is a whole query, which may name a status itself. */
  status?: Status | undefined;
  query?: string | undefined;
  sort?: (typeof sorts)[number] | undefined;
}

/** Includes every field, even undefined ones, because otherwise the router would merge in the current address. */
export const issueSearchOf = (search: Search): Required<IssueSearch> => ({
  status: statuses.find((name) => name === search.status),
  query: search.query === undefined ? undefined : String(search.query),
  sort: sorts.find((name) => name === search.sort),
  ...limitsOf(search),
});

/** A query in two parts. */
export interface Asked {
  status: Status;
  words: string;
}

const statusTerm = /^(?:is|status):(unresolved|resolved|ignored)$/i;
const severalStatuses = /^-(?:is:(?:unresolved|resolved|ignored)|status:\S*)$|^status:\S*,/i;
/** States that only unresolved issues have. */
const openTerm = /^is:(?:new|regressed|escalating|ongoing)$/i;

/** Splits a query. Several statuses, or excluded ones, stay among the words. */
export function partsOf(query: string): Asked {
  const all = terms(query).map(({ text }) => text);
  const named = all.flatMap((text) => statusTerm.exec(text)?.[1]?.toLowerCase() ?? []);
  if (named.length > 1 || all.some((text) => severalStatuses.test(text))) return { status: "all", words: query };
  const words = all.filter((text) => !statusTerm.test(text)).join(" ");
  const implied = all.some((text) => openTerm.test(text)) ? "unresolved" : "all";
  return { status: (named[0] as Status | undefined) ?? implied, words };
}

/** The query of both parts, as the server reads it. */
export const wholeOf = ({ status, words }: Asked): string =>
  status === "all" ? words : `is:${status} ${words}`.trim();

/** A typed query: a status in it sets the control, which otherwise stays. */
export function typed(text: string, status: Status): Asked {
  const names = terms(text).some((term) => statusTerm.test(term.text) || severalStatuses.test(term.text));
  return names ? partsOf(text) : { status, words: text };
}

/** Sets another status, and removes statuses from the words. */
export function withStatus({ words }: Asked, status: Status): Asked {
  const rest = terms(words).filter(
    ({ text }) => !statusTerm.test(text) && !severalStatuses.test(text) && !/^status:/i.test(text),
  );
  return { status, words: rest.map(({ text }) => text).join(" ") };
}

export const askedOf = ({ status, query }: IssueSearch): Asked =>
  status === undefined ? partsOf(query ?? unresolvedOnly) : { status, words: query ?? "" };

/** The query for the server. */
export const queryOf = ({ status, query }: IssueSearch): string =>
  status === undefined ? (query ?? unresolvedOnly) : wholeOf({ status, words: query ?? "" });

/** The complete filters for the server. `public/early.js` sends the same, in this order. */
export const filtersOf = (search: IssueSearch): IssueFilters => ({
  query: queryOf(search),
  sort: search.sort ?? "last_seen",
  ...(search.environment === undefined ? {} : { environment: search.environment }),
  ...(search.period === undefined ? {} : { period: search.period }),
});

/** Adds a term, or the opposite if it is excluded; replaces an earlier one. */
export function withTerm({ status, words }: Asked, term: string, isExcluded: boolean): Asked {
  const rest = terms(words).filter(({ text }) => text !== term && text !== `-${term}`);
  return { status, words: [...rest.map(({ text }) => text), `${isExcluded ? "-" : ""}${term}`].join(" ") };
}

/** The parameters of the address; empty for the default view. */
export const addressOf = ({ status, words }: Asked): Pick<IssueSearch, "status" | "query"> => ({
  status: status === "unresolved" && words === "" ? undefined : status,
  query: words === "" ? undefined : words,
});
