import { type ReactNode, useCallback, useRef, useState } from "react";
import { type Entry, type Register, SectionContext, headingId, inOrder } from "./registry.ts";
import { SectionLinks } from "./SectionLinks.tsx";
import classes from "./SectionLinks.module.css";
import { useScrolledPast } from "./use-scrolled-past.ts";

interface Props {
  /** Beside the links once the page's header is out of sight. */
  stuck: ReactNode;
  children: ReactNode;
}

/** Content whose sections have links above it, which stay in sight. */
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
