import { type ReactNode, useCallback, useRef, useState } from "react";
import { type Entry, type Register, SectionContext, headingId, inOrder } from "./registry.ts";
import { SectionLinks } from "./SectionLinks.tsx";
import classes from "./SectionLinks.module.css";
import { useScrolledPast } from "./use-scrolled-past.ts";

interface Props {
  /** Shown beside the links when the page's header is out of sight. */
  stuck: ReactNode;
  children: ReactNode;
}

/** Content in sections, with links above it that stay in sight. */
export function Sections({ stuck, children }: Props) {
  const [entries, setEntries] = useState<Entry[]>([]);
  const top = useRef<HTMLDivElement>(null);
  const isPast = useScrolledPast(top);
  const register = useCallback<Register>((entry) => {
    setEntries((now) => inOrder([...now, entry], (id) => document.getElementById(headingId(id))));
    return () => setEntries((now) => now.filter((each) => each !== entry));
  }, []);
  return (
    <SectionContext value={register}>
      <div ref={top} />
      <div className={classes.stuck}>
        {isPast && stuck}
        <SectionLinks entries={entries} />
      </div>
      {children}
    </SectionContext>
  );
}
