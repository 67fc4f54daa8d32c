// The requests that `public/early.js` has sent before the app was there.

import type { operations } from "./schema.d.ts";

interface Early {
  /** Which part of the list of issues was asked for. */
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

/** The list of issues that was asked for early. */
export const earlyList = (): Early["list"] => globalThis.early?.list;

/** From now on requests are sent anew. */
export function forgetEarly(): void {
  globalThis.early = undefined;
}
