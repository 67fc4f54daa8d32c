import type { ReactNode } from "react";
import { exact } from "../../../ui/format.ts";
import { headingId, useSection } from "../sections/registry.ts";
import classes from "./Section.module.css";

interface Props {
  id: string;
  title: string;
  /** Of its link, where that is shorter than the title. */
  name?: string;
  /** How many, beside the title. */
  count?: number | undefined;
  /** More words beside the title. */
  note?: string | undefined;
  /** At the right of the title. */
  tools?: ReactNode;
  /** No line above: it is the first. */
  flush?: boolean;
  children: ReactNode;
}

/** A part of the page, under its heading. */
export function Section({ id, title, name = title, count, note, tools, flush = false, children }: Props) {
  useSection(id, name);
  return (
    <section className={classes.section} data-flush={flush || undefined} aria-labelledby={headingId(id)}>
      <div className={classes.head}>
        <h2 id={headingId(id)} tabIndex={-1}>
          {title}
          {count !== undefined && <span className={classes.count}> {exact(count)}</span>}
        </h2>
        {note && <span className={classes.note}>{note}</span>}
        {tools && <div className={classes.tools}>{tools}</div>}
      </div>
      {children}
    </section>
  );
}
