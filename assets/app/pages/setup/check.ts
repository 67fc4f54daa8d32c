import type { Setup } from "../../api/schema.d.ts";
import { setupTokenIn } from "../../paths.ts";
import { emailProblem, found, lengthOf, nameProblem, passwordProblem } from "../../ui/rules.ts";

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
  const organization = lengthOf(form.organization_name);
  return {
    ...problems,
    ...found({
      email: emailProblem(form.email),
      name: nameProblem(form.name ?? ""),
      password: passwordProblem(form.password),
      organization_name:
        organization === 0 ? "Enter a name for your organization." : nameProblem(form.organization_name),
    }),
  };
}

/** What a claim through a provider needs: the rest comes from there. */
export function claimProblems(
  form: Pick<Setup, "setup_token" | "organization_name">,
): Partial<Record<FieldName, string>> {
  const { setup_token, organization_name } = problemsOf({ ...form, email: "", password: "" });
  return found({ setup_token, organization_name }) as Partial<Record<FieldName, string>>;
}
