import { el, fill } from "./dom.ts";

export interface Field {
  element: HTMLElement;
  input: HTMLInputElement;
  /** Shows what is wrong with the value, or takes the message away. */
  setError(message: string | undefined): void;
}

export interface FieldOptions {
  name: string;
  label: string;
  hint?: string;
  type?: "text" | "email" | "password";
  autocomplete?: AutoFill;
  value?: string;
  required?: boolean;
  /** Set in the fixed-width face and without spell checking. */
  code?: boolean;
}

/** A labelled input with its hint and the place for its error, tied together for screen readers. */
export function field(options: FieldOptions): Field {
  const { name, label, hint, type = "text", autocomplete = "off", value, required, code } = options;
  const input = el("input", {
    id: name,
    name,
    type,
    autocomplete,
    required,
    class: code ? "code" : undefined,
    spellcheck: "false",
    autocapitalize: code || type === "email" ? "none" : undefined,
    "aria-describedby": `${name}-hint ${name}-error`,
  });
  if (value !== undefined) input.value = value;

  const error = el("p", { id: `${name}-error`, class: "error", role: "alert" });
  const element = el(
    "div",
    { class: "field" },
    el("label", { for: name }, label, !required && el("span", { class: "muted" }, " (optional)")),
    input,
    el("p", { id: `${name}-hint`, class: "hint" }, hint),
    error,
  );

  const setError = (message: string | undefined) => {
    fill(error, message);
    if (message === undefined) input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
  };
  input.addEventListener("input", () => setError(undefined));
  return { element, input, setError };
}
