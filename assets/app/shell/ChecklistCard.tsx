import { ActionIcon } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Bot, Circle, CircleCheck, Rocket, X } from "lucide-react";
import { useMediaQuery } from "@mantine/hooks";
import { useId } from "react";
import type { ChecklistStep } from "../first-steps/checklist.ts";
import { useChecklist } from "../first-steps/use-checklist.ts";
import { paths } from "../paths.ts";
import classes from "./ChecklistCard.module.css";
import { NavEntry } from "./NavEntry.tsx";

/** In lower windows the navigation needs the space. */
const low = "(max-height: 59em)";

/** The remaining steps of setting up a project, until all are done or the person hides them. */
export function ChecklistCard({ project, folded }: { project: number; folded: boolean }) {
  const { steps, state, hide } = useChecklist(project);
  const heading = useId();
  const isLow = useMediaQuery(low, matchMedia(low).matches, { getInitialValueInEffect: false });
  if (state !== "shown" || steps.length === 0) return null;
  const progress = `${steps.filter(({ done }) => done).length} of ${steps.length}`;
  if (folded) return <NavEntry label={`Set up: ${progress} done`} folded icon={Rocket} to={paths.start(project)} />;
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <div className={classes.head}>
        <p id={heading} className={classes.title}>
          {isLow ? <Link to={paths.start(project)}>Set up</Link> : "Set up"}
        </p>
        <span className={classes.progress}>
          {progress}
          <span className="unseen"> done</span>
        </span>
        <ActionIcon size="sm" aria-label="Hide the checklist" data-tip="Hide the checklist" onClick={hide}>
          <X size="0.875rem" aria-hidden />
        </ActionIcon>
      </div>
      {!isLow && (
        <ul>
          {steps.map((step) => (
            <Step key={step.id} step={step} />
          ))}
          {/* For whoever wants it: no step that a project waits for. */}
          <li>
            <Link to={paths.account("agents")} className={classes.step ?? ""}>
              <Bot size="0.875rem" aria-hidden />
              <span className="cut">Connect an agent (MCP)</span>
            </Link>
          </li>
        </ul>
      )}
    </section>
  );
}

function Step({ step: { label, to, hash, done } }: { step: ChecklistStep }) {
  const Icon = done ? CircleCheck : Circle;
  return (
    <li>
      <Link to={to} {...(hash && { hash })} className={classes.step ?? ""} data-done={done || undefined}>
        <Icon size="0.875rem" aria-hidden />
        <span className="cut">{label}</span>
        <span className="unseen">{done ? ": done" : ": to do"}</span>
      </Link>
    </li>
  );
}
