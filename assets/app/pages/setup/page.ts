import { type Claim, claim } from "../../api/server.ts";
import { paths, setupTokenIn } from "../../paths.ts";
import { el, fill } from "../../ui/dom.ts";
import { type Field, field } from "../../ui/field.ts";
import { type FieldName, passwordBounds, problemsOf } from "./check.ts";

/**
 * The form that claims the instance. The token comes prefilled from `#token=…`; `onSignedIn` is
 * called when the claim has signed its sender in.
 */
export function setupPage(onSignedIn: () => void): HTMLElement {
  const fields = makeFields(takeToken());
  const message = el("p", { class: "message", role: "alert" });
  const button = el("button", { type: "submit", class: "primary" }, "Claim this instance");
  const form = el("form", { novalidate: true, class: "form" }, ...Object.values(fields).map((f) => f.element), message, button);
  const main = el(
    "main",
    { class: "narrow" },
    el("h1", {}, "Claim this instance"),
    el("p", { class: "lead" }, "Whoever holds the setup token becomes the owner. This can be done once."),
    form,
  );

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const values = valuesOf(fields);
    if (!showProblems(fields, values)) return;
    void submit(values, form, button, message).then((done) => {
      if (!done) return;
      fill(main, ...claimed(values));
      onSignedIn();
    });
  });
  return main;
}

type Fields = Record<FieldName | "name", Field>;

function makeFields(token: string): Fields {
  return {
    setup_token: field({
      name: "setup_token",
      label: "Setup token",
      hint: "Printed by the server at start; the command “mayday setup-token” prints it again.",
      value: token,
      required: true,
      code: true,
    }),
    email: field({ name: "email", label: "E-mail", type: "email", autocomplete: "username", required: true }),
    password: field({
      name: "password",
      label: "Password",
      hint: `${passwordBounds.min} to ${passwordBounds.max} characters.`,
      type: "password",
      autocomplete: "new-password",
      required: true,
    }),
    organization_name: field({
      name: "organization_name",
      label: "Organization",
      hint: "Your company or team; it can be renamed.",
      autocomplete: "organization",
      required: true,
    }),
    name: field({ name: "name", label: "Your name", autocomplete: "name" }),
  };
}

/** Takes the token out of the address, so that it stays in no history and no screenshot of it. */
function takeToken(): string {
  const token = setupTokenIn(location.hash);
  if (token !== "") history.replaceState(null, "", location.pathname + location.search);
  return token;
}

function valuesOf(fields: Fields): Claim {
  const name = fields.name.input.value.trim();
  return {
    setup_token: fields.setup_token.input.value.trim(),
    email: fields.email.input.value.trim(),
    password: fields.password.input.value,
    organization_name: fields.organization_name.input.value.trim(),
    ...(name === "" ? {} : { name }),
  };
}

/** Shows what is wrong beside each field and moves to the first; true when nothing is. */
function showProblems(fields: Fields, values: Claim): boolean {
  const problems = problemsOf(values);
  const names: FieldName[] = ["setup_token", "email", "password", "organization_name"];
  for (const name of names) fields[name].setError(problems[name]);
  const first = names.find((name) => problems[name] !== undefined);
  if (first) fields[first].input.focus();
  return first === undefined;
}

/** Sends the claim; false, with the server's words shown, when it refuses. */
async function submit(
  values: Claim,
  form: HTMLFormElement,
  button: HTMLButtonElement,
  message: HTMLElement,
): Promise<boolean> {
  fill(message);
  form.setAttribute("aria-busy", "true");
  button.disabled = true;
  button.textContent = "Claiming…";
  try {
    await claim(values);
    return true;
  } catch (error) {
    fill(message, error instanceof Error ? error.message : String(error));
    return false;
  } finally {
    form.removeAttribute("aria-busy");
    button.disabled = false;
    button.textContent = "Claim this instance";
  }
}

function claimed(values: Claim): HTMLElement[] {
  const heading = el("h1", { tabindex: -1 }, "This instance is yours");
  // The form that had the focus is gone; the heading takes it, so that it is read out.
  queueMicrotask(() => heading.focus());
  return [
    heading,
    el(
      "p",
      { class: "lead", role: "status" },
      "You are signed in as ",
      el("strong", {}, values.email),
      ", owner of ",
      el("strong", {}, values.organization_name),
      ".",
    ),
    el("p", {}, el("a", { class: "primary", href: paths.home }, "Go on: project, key, first error")),
  ];
}
