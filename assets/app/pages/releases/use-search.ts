import { useEffect, useEffectEvent, useState } from "react";

/** How long typing rests before the server is asked, in milliseconds. */
const rest = 200;

/** What is typed, and `settle` for it once typing rests. */
export function useSearch(settled: string, settle: (text: string) => void) {
  const [typed, setTyped] = useState(settled);
  const [known, setKnown] = useState(settled);
  // The address changed by itself: back, or a link.
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
