import { useEffect, useState } from "react";

/** How long an action takes before it is shown as in progress, in milliseconds, to avoid flicker. */
const patience = 200;

/** Whether something has been in progress for longer than a moment. */
export function useLate(going: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!going) return;
    const timer = setTimeout(() => setLate(true), patience);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [going]);
  return late;
}
