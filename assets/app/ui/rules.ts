// Client-side checks; the server has the last word.

/** Bounds of a password in characters, the same as the server's. */
export const passwordBounds = { min: 12, max: 256 } as const;
/** The most characters that the name of a person, an organization or a key may have. */
export const nameMax = 128;

/** In characters as people count them, not in UTF-16 units. */
export const lengthOf = (text: string): number => [...text].length;

export function passwordProblem(password: string): string | undefined {
  const length = lengthOf(password);
  if (length >= passwordBounds.min && length <= passwordBounds.max) return undefined;
  return `Use ${passwordBounds.min} to ${passwordBounds.max} characters; this has ${length}.`;
}

/** Checks that an existing password was entered. */
export const passwordMissing = (password: string): string | undefined =>
  password === "" ? "Enter your password." : undefined;

export const required = (text: string, problem = "Enter a name."): string | undefined =>
  text.trim() === "" ? problem : undefined;

export const isEmail = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text);

export const emailProblem = (email: string): string | undefined =>
  isEmail(email) ? undefined : "Enter an e-mail address, such as you@example.com.";

/** A name that may be empty. */
export function nameProblem(name: string): string | undefined {
  const length = lengthOf(name);
  return length > nameMax ? `Use at most ${nameMax} characters; this has ${length}.` : undefined;
}

/** For names of keys and tokens. */
export const keyNameProblem = (name: string): string | undefined =>
  required(name, "Enter a name that tells you where it is used.") ?? nameProblem(name.trim());

/** Without the fields that have no problem. */
export function found<Field extends string>(
  problems: Record<Field, string | undefined>,
): Partial<Record<Field, string>> {
  return Object.fromEntries(Object.entries(problems).filter(([, words]) => words !== undefined)) as Partial<
    Record<Field, string>
  >;
}
