import type { Me } from "../../api/server.ts";
import { paths } from "../../paths.ts";
import { el, fill } from "../../ui/dom.ts";
import { snippet } from "../../ui/snippet.ts";
import { type Step, steps } from "./steps.ts";

/** The way from claim to a resolved error. `unknownPath` is the address that named no page. */
export function homePage(me: Promise<Me | undefined>, unknownPath?: string): HTMLElement {
  const who = el("p", { class: "who", role: "status" });
  void showWho(who, me);
  return el(
    "main",
    {},
    unknownPath !== undefined &&
      el("p", { class: "notice" }, "There is no page at ", el("code", {}, unknownPath), ". This is the start page."),
    el("h1", {}, "From claim to a resolved error"),
    el("p", { class: "lead" }, "Seven steps with curl. Paste them one after the other into one shell."),
    who,
    el("ol", { class: "steps" }, ...steps(location.origin).map((step, index) => stepItem(step, index))),
  );
}

/** Says who is signed in; the line stays as high as it was, so that nothing jumps. */
async function showWho(line: HTMLElement, someone: Promise<Me | undefined>): Promise<void> {
  try {
    const me = await someone;
    if (me) {
      const name = me.name ? `${me.name} (${me.email})` : me.email;
      fill(line, "Signed in as ", el("strong", {}, name), ". The instance is claimed; in step 1 your shell signs in instead.");
    } else {
      fill(line, "Not signed in. A new instance is claimed ", el("a", { href: paths.setup }, "in the browser"), " or with step 1.");
    }
  } catch (error) {
    line.classList.add("error");
    fill(line, error instanceof Error ? error.message : String(error));
  }
}

function stepItem(step: Step, index: number): HTMLElement {
  return el(
    "li",
    { class: "step" },
    el(
      "div",
      { class: "words" },
      el("h2", {}, el("span", { class: "number", "aria-hidden": "true" }, String(index + 1)), step.title),
      el("p", {}, ...withCode(step.text)),
    ),
    el(
      "div",
      { class: "commands" },
      step.before !== undefined && snippet(`${step.title}: set first`, step.before),
      snippet(step.title, step.command, "command"),
      step.instead !== undefined && snippet(`${step.title}: when that is done already`, step.instead, "instead"),
      step.keep !== undefined && snippet(`${step.title}: keep for the next steps`, step.keep),
    ),
  );
}

/** Sets what stands between backticks as code. */
function withCode(text: string): (Node | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? el("code", {}, part) : part));
}
