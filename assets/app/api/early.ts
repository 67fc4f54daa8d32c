// Uses the requests that `public/early.js` sent before the app was loaded.

import type { operations } from "./schema.d.ts";

interface Early {
  /** The list of issues that was requested. */
  list: { project: number; filters: NonNullable<operations["list_issues"]["parameters"]["query"]> } | undefined;
  /** By path and query. */
  answers: Map<string, Promise<Response>>;
}

declare global {
  var early: Early | undefined;
}

/** The answer to a request that was sent early, once; `undefined` for all others. */
export function earlyAnswer({ method, url }: Request): Promise<Response> | undefined {
  const { pathname, searchParams } = new URL(url);
  const address = searchParams.size > 0 ? `${pathname}?${searchParams.toString()}` : pathname;
  const answer = method === "GET" ? globalThis.early?.answers.get(address) : undefined;
  if (answer) globalThis.early?.answers.delete(address);
  return answer;
}

/** The list of issues that was requested early. */
export const earlyList = (): Early["list"] => globalThis.early?.list;

/** Forgets early answers, so that requests are sent normally. */
export function forgetEarly(): void {
  globalThis.early = undefined;
}
