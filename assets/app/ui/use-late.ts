import { useEffect, useState } from "react";

/** Nothing flashes for what is done at once, in milliseconds. */
const patience = 200;

/** Whether something has been going on for longer than a moment. */
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
