import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import type { Report, Step } from "../../../api/schema.d.ts";
import { exact } from "../../../ui/format.ts";
import { Sentence } from "../../../ui/Text.tsx";
import { oneLine } from "../../../ui/visible.ts";
import own from "./SignIn.module.css";

const states = {
  ok: { Icon: CircleCheck, word: "ok" },
  failed: { Icon: CircleX, word: "failed" },
  unreached: { Icon: CircleDashed, word: "skipped" },
};

/** The steps of a check, and where it stopped. */
export function ReportView({
  report,
  words,
  action,
}: {
  report: Report;
  words: { good: string; bad: string };
  action?: ReactNode;
}) {
  return (
    <div className={own.report}>
      <div className={own.verdict}>
        <span>{report.ok ? words.good : words.bad}</span>
        {action}
      </div>
      <ol>
        {report.steps.map((step, at) => (
          <StepLine key={at} step={step} />
        ))}
      </ol>
    </div>
  );
}

function StepLine({ step }: { step: Step }) {
  const state = step.ok === null ? "unreached" : step.ok ? "ok" : "failed";
  const { Icon, word } = states[state];
  return (
    <li className={own.step} data-state={state}>
      <Icon size="1rem" aria-hidden />
      <span>
        <bdi>{oneLine(step.name)}</bdi> <span className="muted">{word}</span>
      </span>
      <span className="muted number">{step.ok !== null && `${exact(step.duration_ms)} ms`}</span>
      {step.detail !== "" && (
        <p>
          <Sentence text={step.detail} />
        </p>
      )}
    </li>
  );
}
