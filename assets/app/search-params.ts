// How addresses are read: what stands behind the `?` is text from anybody, and only what a page knows of it is kept.

export type Search = Record<string, unknown>;

/** A value that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  value === undefined || value === "" ? undefined : String(value);

/** A whole number that can be an id. */
export const idOf = (value: unknown): number | undefined =>
  /^\d{1,15}$/.test(textOf(value) ?? "") ? Number(value) : undefined;

/** What failed on the way through a sign-in provider, as the server names it. */
export interface FlowError {
  error?: string;
}

export function flowErrorOf(search: Search): FlowError {
  const error = textOf(search.error);
  return error === undefined ? {} : { error };
}
