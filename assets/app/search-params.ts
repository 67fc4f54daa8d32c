// Reads queries of addresses: anybody can write them, so a page keeps only what it knows.

export type Search = Record<string, unknown>;

/** A value that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  value === undefined || value === "" ? undefined : String(value);

/** A whole number that can be an id. */
export const idOf = (value: unknown): number | undefined =>
  /^\d{1,15}$/.test(textOf(value) ?? "") ? Number(value) : undefined;

/** Why a sign-in at a provider failed, as the server names it. */
export interface FlowError {
  error?: string;
}

export function flowErrorOf(search: Search): FlowError {
  const error = textOf(search.error);
  return error === undefined ? {} : { error };
}
