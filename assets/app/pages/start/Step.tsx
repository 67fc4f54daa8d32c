import { type ReactNode, useId } from "react";
import classes from "./Start.module.css";

interface Props {
  /** None for what comes after the steps. */
  number?: number;
  title: string;
  /** Stays in sight at the bottom while the steps above are read. */
  stuck?: boolean;
  children: ReactNode;
}

export function Step({ number, title, stuck = false, children }: Props) {
  const heading = useId();
  return (
    <section className={classes.step} data-stuck={stuck || undefined} aria-labelledby={heading}>
      <span className={classes.number} aria-hidden>
        {number ?? "+"}
      </span>
      <div className={classes.content}>
        <h2 id={heading}>
          {number !== undefined && <span className="unseen">Step {number}: </span>}
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}
