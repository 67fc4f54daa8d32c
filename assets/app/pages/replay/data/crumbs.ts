import type { Moment } from "../player/moments.ts";
import type { Summary } from "./summary.ts";

export type StepKind = "click" | "page" | "request" | "console" | "error" | "other";

/** An event of a replay in the form of a breadcrumb. */
export interface Step {
  /** Milliseconds from the beginning. */
  at: number;
  kind: StepKind;
  text: string;
  /** Whether it is to be seen at a glance. */
  tone?: "warning" | "error" | undefined;
}

/** All events in order: like the breadcrumbs of an error, but for the whole replay. */
export function stepsOf(summary: Summary, moments: readonly Moment[]): Step[] {
  const { crumbs, clicks, pages, console: lines, network } = summary;
  // Our recorder names the clicked element; other recorders only give its position.
  const named = crumbs.filter(({ category }) => category === "ui.click");
  const steps: Step[] = [
    ...named.map(({ at, message }): Step => ({ at, kind: "click", text: message })),
    ...(named.length > 0 ? [] : clicks.map(({ at, x, y }): Step => ({ at, kind: "click", text: `${x}, ${y}` }))),
    ...pages.map(({ at, url }): Step => ({ at, kind: "page", text: url })),
    ...network.map(({ at, method, url, status }): Step => {
      const failed = status === 0 || status >= 400;
      const outcome = status === 0 ? "failed" : String(status);
      return { at, kind: "request", text: `${method} ${url} ${outcome}`, tone: failed ? "error" : undefined };
    }),
    ...lines.map(({ at, level, message }): Step => ({ at, kind: "console", text: message, tone: toneOf(level) })),
    ...crumbs
      .filter(({ category }) => category !== "ui.click")
      .map(({ at, category, level, message }): Step => {
        const text = [category, message].filter(Boolean).join(": ");
        return { at, kind: "other", text, tone: toneOf(level) };
      }),
    ...moments
      .filter(({ kind }) => kind === "error")
      .map(({ at, words }): Step => ({ at, kind: "error", text: words, tone: "error" })),
  ];
  return steps.sort((one, other) => one.at - other.at);
}

const toneOf = (level: string): Step["tone"] =>
  level === "error" || level === "fatal" ? "error" : level === "warning" || level === "warn" ? "warning" : undefined;
