import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { type Entry, type Register, SectionContext, headingId, inOrder } from "./registry.ts";
import { SectionLinks } from "./SectionLinks.tsx";
import classes from "./SectionLinks.module.css";

interface Props {
  /** The line that is shown, beside the links if there are any, when the page's header is out of sight. */
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

/** Content without sections, over which the line appears when the page's header is out of sight. */
export function StuckOver({ stuck, children }: Props) {
  const top = useRef<HTMLDivElement>(null);
  const isPast = useScrolledPast(top);
  return (
    <>
      <div ref={top} />
      <div className={classes.over}>{isPast && <div className={classes.stuck}>{stuck}</div>}</div>
      {children}
    </>
  );
}

/** Whether an element has left the window at its top. */
function useScrolledPast(element: RefObject<Element | null>): boolean {
  const [isPast, setPast] = useState(false);
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const observer = new IntersectionObserver(([seen]) => {
      if (seen) setPast(!seen.isIntersecting && seen.boundingClientRect.top < 0);
    });
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return isPast;
}
