import { type ReactNode, useCallback, useState } from "react";
import { type Entry, type Register, SectionContext, headingId, inOrder } from "./registry.ts";
import { SectionLinks } from "./SectionLinks.tsx";

/** Content whose sections have links above it, which stay in sight. */
export function Sections({ children }: { children: ReactNode }) {
  const [entries, setEntries] = useState<Entry[]>([]);
  const register = useCallback<Register>((entry) => {
    setEntries((now) => inOrder([...now, entry], (id) => document.getElementById(headingId(id))));
    return () => setEntries((now) => now.filter((each) => each !== entry));
  }, []);
  return (
    <SectionContext value={register}>
      <SectionLinks entries={entries} />
      {children}
    </SectionContext>
  );
}
