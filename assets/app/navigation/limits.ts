// The environment and the period of a page. Both are in the address, and links to other pages keep them.

import { type Search, textOf } from "../search-params.ts";
import { oneLine } from "../ui/visible.ts";

/** Periods up to now, by their names in the address, as the server reads them. */
export const periods = {
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
} as const;
export type Period = keyof typeof periods;

export interface Limits {
  environment?: string | undefined;
  period?: Period | undefined;
}

/** No limits. */
export const noLimits: Required<Limits> = { environment: undefined, period: undefined };

/** The limits in an address. */
export const limitsOf = (search: Search): Required<Limits> => ({
  environment: textOf(search.environment),
  period: periodOf(search.period),
});

/** The period with a name, if there is one. */
export const periodOf = (name: unknown): Period | undefined =>
  (Object.keys(periods) as Period[]).find((known) => known === name);

export const isLimited = ({ environment, period }: Limits): boolean =>
  environment !== undefined || period !== undefined;

/** What the server is asked for within them: nothing of what is not chosen. */
export const askedWithin = ({ environment, period }: Limits): { environment?: string; period?: Period } => ({
  ...(environment === undefined ? {} : { environment }),
  ...(period === undefined ? {} : { period }),
});

/** An environment's name, which events say, on one line. */
export const environmentWords = (name: string): string => {
  const line = oneLine(name);
  return line.length > most ? `${line.slice(0, most)}…` : line;
};
const most = 60;

/** `in production in the last 24 hours`; empty without limits. */
export function limitWords({ environment, period }: Limits): string {
  const words = [];
  if (environment !== undefined) words.push(`in ${environmentWords(environment)}`);
  if (period !== undefined) words.push(`in the ${periods[period].toLowerCase()}`);
  return words.join(" ");
}

/**
 * The choices of environments: the known ones, and the selected one. Logs ignore case, so a name that differs only in
 * case is the same.
 */
export function environmentChoices(known: readonly string[], chosen: string | undefined) {
  const all = chosen === undefined || known.includes(chosen) ? known : [chosen, ...known];
  const plain = all.map((name) => name.toLowerCase());
  const names = all.filter((_, at) => plain.indexOf(plain[at] ?? "") === at);
  const choices = names.filter((name) => name !== "").map((name) => ({ value: name, label: environmentWords(name) }));
  return [{ value: "", label: "All environments" }, ...choices];
}

/** The pages of a project that limits go along between, by their sections, and what the period is called there. */
const periodNames = { issues: "period", logs: "range", replays: "period", releases: "period" } as const;
export type LimitedPage = keyof typeof periodNames;

export const isLimitedPage = (section: string): section is LimitedPage => Object.hasOwn(periodNames, section);

/** What such pages say alike, for a link from one of them to another. */
export function carried(page: LimitedPage, search: Search): Record<string, string> {
  const { environment } = limitsOf(search);
  // The logs begin with the last day, which is nobody's choice.
  const length = periodOf(search.period ?? search.range);
  const period = length === undefined ? {} : { [periodNames[page]]: length };
  return { ...(environment === undefined ? {} : { environment }), ...period };
}

/** What each project's last page with limits said: its other pages do not lose it. */
const last = new Map<number | undefined, Search>();

/**
 * What goes along from an address to pages of a project: what the last of its lists said, or a page within one that
 * has limits in its address.
 */
export function rememberedSearch(pathname: string, search: Search, project: number | undefined): Search {
  const [, here, page = "", inner] = pathname.match(/^\/projects\/(\d+)\/(\w+)(\/.)?/) ?? [];
  if (isLimitedPage(page) && (!inner || isLimited(limitsOf(search)))) last.set(Number(here), search);
  return last.get(project) ?? {};
}
