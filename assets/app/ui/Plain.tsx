import type { ReactNode } from "react";
import { useStyledPaint } from "./first-paint.ts";
import classes from "./Plain.module.css";
import { useTitle } from "./use-title.ts";

/** The frame of pages for people who are not signed in. */
export function Plain({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useTitle(title);
  useStyledPaint();
  return (
    <main className={classes.main}>
      <p className={classes.brand}>Mayday</p>
      <h1>{title}</h1>
      {lead && <p className={classes.lead}>{lead}</p>}
      {children}
    </main>
  );
}
