// What the figures of a release's page and of a comparison are limited to, in words: the environment, if one is chosen, and
// never the period of the lists around them.

import { type Limits, limitWords } from "../../navigation/limits.ts";

/** ` in production`, to be added to words; nothing without an environment. */
export const there = (environment: string | undefined): string => ` ${limitWords({ environment })}`.trimEnd();

const always = (period: Limits["period"]): string => (period === undefined ? "" : ", at any time");

/** What a release's page says of its figures, where the lists around it are limited. */
export function releaseWords({ environment, period }: Limits): string | undefined {
  if (environment !== undefined) {
    return `Events, users, issues and times are those${there(environment)}${always(period)}. New and regressed issues and unresolved frames are those of all environments.`;
  }
  return period === undefined ? undefined : "This page shows what happened in all environments and at all times.";
}

/** The same of a comparison. */
export function comparisonWords({ environment, period }: Limits): string | undefined {
  if (environment !== undefined) {
    return `Both releases are compared by what happened${there(environment)}${always(period)}: when they came out there, their events and users, and the issues that these are of.`;
  }
  return period === undefined ? undefined : "This page shows what happened in all environments and at all times.";
}

/** What lists of issues of a comparison say when they are empty. */
export function noneWords(names: { release: string; base: string }, environment: string | undefined) {
  const { release, base } = names;
  if (environment === undefined) {
    return {
      new: `No issue was first seen in ${release}.`,
      regressed: "No issue regressed.",
      gone: `All issues of ${base} have events in it.`,
    };
  }
  const where = there(environment);
  return {
    new: `No issue that was first seen in ${release} has events of it${where}.`,
    regressed: `No issue that regressed in ${release} has events of it${where}.`,
    gone: `All issues of ${base}${where} have events in it there.`,
  };
}

/** What a link to all issues of a list takes along: the period of other lists is not that of a comparison. */
export const atAnyTime = ({ period: _, ...along }: Record<string, string>): Record<string, string> => along;
