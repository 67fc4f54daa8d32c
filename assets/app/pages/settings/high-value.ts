// The settings for high-value accounts, and the server's rules for them.

import type { HighValueAccounts } from "../../api/schema.d.ts";

/** The same as a form holds it: a tag is one text. */
// (A type and not an interface: forms ask for values that can be indexed by any name.)
export type Choice = { ids: string[]; patterns: string[]; tags: string[]; busiest: boolean };

const chars = 200;

/** The server's answer with defaults. */
export const choice = (given: HighValueAccounts | undefined): Choice => ({
  ids: given?.ids ?? [],
  patterns: given?.patterns ?? [],
  tags: (given?.tags ?? []).map(({ key, value }) => `${key}=${value}`),
  busiest: given?.busiest ?? true,
});

/** The settings to send. */
export const accounts = ({ tags, ...rest }: Choice): HighValueAccounts => ({
  ...rest,
  tags: tags.map((tag) => {
    const at = tag.indexOf("=");
    return { key: tag.slice(0, at).trim(), value: tag.slice(at + 1).trim() };
  }),
});

/** The error in entered texts; `undefined` if they are valid. The server has the last word. */
export function problem(texts: string[], most: number): string | undefined {
  if (texts.length > most) return `Use at most ${most}; these are ${texts.length}.`;
  const long = texts.find((text) => [...text].length > chars);
  return long === undefined ? undefined : `Use at most ${chars} characters each.`;
}

/** The same for patterns. */
export function patternProblem(patterns: string[], most: number): string | undefined {
  const all = patterns.find((pattern) => /^[*\s]*$/.test(pattern));
  return all === undefined ? problem(patterns, most) : `“${all}” matches every account. Add some text.`;
}

/** The same for tags. */
export function tagProblem(tags: string[], most: number): string | undefined {
  const wrong = tags.find((tag) => !/^\s*[^=\s][^=]*=\s*\S/.test(tag));
  return wrong === undefined
    ? problem(tags, most)
    : `Write a tag and its value as in plan=enterprise; this is “${wrong}”.`;
}
