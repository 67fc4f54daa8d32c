import { useEffect, useEffectEvent, useState } from "react";

/** How long to wait after a keystroke before searching, in milliseconds. */
const rest = 200;

/** The typed text; calls `settle` with it after a pause in typing. */
export function useSearch(settled: string, settle: (text: string) => void) {
  const [typed, setTyped] = useState(settled);
  const [known, setKnown] = useState(settled);
  // The address changed without typing: by going back, or a link.
  if (known !== settled) {
    setKnown(settled);
    if (typed.trim() !== settled) setTyped(settled);
  }
  const onSettled = useEffectEvent(settle);
  useEffect(() => {
    if (typed.trim() === settled) return;
    const timer = setTimeout(() => onSettled(typed.trim()), rest);
    return () => clearTimeout(timer);
  }, [typed, settled]);
  return [typed, setTyped] as const;
}
