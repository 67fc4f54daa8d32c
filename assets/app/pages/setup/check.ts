import type { Setup } from "../../api/schema.d.ts";

/** Bounds of a password in characters; the server holds the same. */
export const passwordBounds = { min: 12, max: 256 } as const;

const tokenForm = /^[0-9a-f]{4}(?:-[0-9a-f]{4}){7}$/;

export type FieldName = "setup_token" | "email" | "password" | "organization_name";

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
  const length = [...form.password].length;
  if (length < passwordBounds.min || length > passwordBounds.max) {
    problems.password = `Use ${passwordBounds.min} to ${passwordBounds.max} characters; this has ${length}.`;
  }
  if (form.organization_name === "") {
    problems.organization_name = "Enter a name for your organization.";
  }
  return problems;
}
