import type { Setup } from "../../api/schema.d.ts";
import { setupTokenIn } from "../../paths.ts";

/** Bounds of a password in characters; the server holds the same. */
export const passwordBounds = { min: 12, max: 256 } as const;
/** Most characters of a person's or an organization's name. */
export const nameMax = 128;

const tokenForm = /^[0-9a-f]{4}(?:-[0-9a-f]{4}){7}$/;

export const fields = ["setup_token", "email", "name", "password", "organization_name"] as const;
export type FieldName = (typeof fields)[number];

/** A pasted token, or the one in a pasted link or line of the server's output. */
export function tokenFrom(pasted: string): string {
  const mark = pasted.indexOf("#token=");
  return mark === -1 ? pasted : setupTokenIn(pasted.slice(mark));
}

/**
 * What can be told wrong without asking the server, by field. It is meant to save a round trip:
 * the server checks everything again, and its word counts.
 */
export function problemsOf(form: Setup): Partial<Record<FieldName, string>> {
  const problems: Partial<Record<FieldName, string>> = {};
  if (form.setup_token === "") {
    problems.setup_token = "Paste the setup token that the server printed when it started.";
  } else if (!tokenForm.test(form.setup_token)) {
    problems.setup_token = "A setup token is eight groups of four characters (0–9, a–f) joined by hyphens.";
  }
  if (!/^[^@\s]+@[^@\s]+$/.test(form.email)) {
    problems.email = "Enter an e-mail address, such as you@example.com.";
  }
  const name = lengthOf(form.name ?? "");
  if (name > nameMax) problems.name = `Use at most ${nameMax} characters; this has ${name}.`;
  const length = lengthOf(form.password);
  if (length < passwordBounds.min || length > passwordBounds.max) {
    problems.password = `Use ${passwordBounds.min} to ${passwordBounds.max} characters; this has ${length}.`;
  }
  const organization = lengthOf(form.organization_name);
  if (organization === 0) {
    problems.organization_name = "Enter a name for your organization.";
  } else if (organization > nameMax) {
    problems.organization_name = `Use at most ${nameMax} characters; this has ${organization}.`;
  }
  return problems;
}

/** In characters as people count them, not in UTF-16 units. */
const lengthOf = (text: string): number => [...text].length;
