import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useId, useRef } from "react";
import classes from "./Start.module.css";

interface Props {
  /** Its name in an address, after the `#`. */
  id?: string;
  /** Undefined for what follows the steps. */
  number?: number;
  title: string;
  /** Stays at the bottom of the window while the steps above are read. */
  stuck?: boolean;
  children: ReactNode;
}

export function Step({ id, number, title, stuck = false, children }: Props) {
  const heading = useId();
  const place = useRef<HTMLElement>(null);
  // The steps are drawn when their answers are there: too late for the browser to have found them.
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (id !== undefined && hash === id) place.current?.scrollIntoView({ block: "start" });
  }, [id, hash]);
  return (
    <section id={id} ref={place} className={classes.step} data-stuck={stuck || undefined} aria-labelledby={heading}>
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
