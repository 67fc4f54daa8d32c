// What can be told wrong of a field without asking the server; the server's word counts.

/** Bounds of a password in characters; the server holds the same. */
export const passwordBounds = { min: 12, max: 256 } as const;
/** Most characters of a person's, an organization's or a key's name. */
export const nameMax = 128;

/** In characters as people count them, not in UTF-16 units. */
export const lengthOf = (text: string): number => [...text].length;

export function passwordProblem(password: string): string | undefined {
  const length = lengthOf(password);
  if (length >= passwordBounds.min && length <= passwordBounds.max) return undefined;
  return `Use ${passwordBounds.min} to ${passwordBounds.max} characters; this has ${length}.`;
}

export const isEmail = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text);

export const emailProblem = (email: string): string | undefined =>
  isEmail(email) ? undefined : "Enter an e-mail address, such as you@example.com.";

/** A name that may be missing. */
export function nameProblem(name: string): string | undefined {
  const length = lengthOf(name);
  return length > nameMax ? `Use at most ${nameMax} characters; this has ${length}.` : undefined;
}

/** Without the fields that have no problem. */
export function found<Field extends string>(
  problems: Record<Field, string | undefined>,
): Partial<Record<Field, string>> {
  return Object.fromEntries(Object.entries(problems).filter(([, words]) => words !== undefined)) as Partial<
    Record<Field, string>
  >;
}
