import type { Setup } from "../../api/schema.d.ts";
import { setupTokenIn } from "../../paths.ts";
import { emailProblem, found, nameProblem, passwordProblem, required } from "../../ui/rules.ts";

const tokenForm = /^[0-9a-f]{4}(?:-[0-9a-f]{4}){7}$/;

export type Problems = { [Field in keyof Setup]?: string };

/** A pasted token, or the one in a pasted link or line of the server's output. */
export function tokenFrom(pasted: string): string {
  const mark = pasted.indexOf("#token=");
  return mark === -1 ? pasted : setupTokenIn(pasted.slice(mark));
}

/** The client-side checks; the server has the last word. */
export function problemsOf(form: Setup): Problems {
  return found({
    setup_token: tokenProblem(form.setup_token),
    email: emailProblem(form.email),
    name: nameProblem(form.name ?? ""),
    password: passwordProblem(form.password),
    organization_name:
      required(form.organization_name, "Enter a name for your organization.") ?? nameProblem(form.organization_name),
  });
}

function tokenProblem(token: string): string | undefined {
  if (token === "") return "Paste the setup token that the server printed when it started.";
  return tokenForm.test(token)
    ? undefined
    : "A setup token is eight groups of four characters (0–9, a–f) joined by hyphens.";
}

/** The checks for a claim through a provider, which supplies the rest. */
export function claimProblems(form: Pick<Setup, "setup_token" | "organization_name">): Problems {
  const { setup_token, organization_name } = problemsOf({ ...form, email: "", password: "" });
  return found({ setup_token, organization_name });
}
