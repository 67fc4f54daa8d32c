import { type RefObject, useEffect, useState } from "react";

/** Whether an element has left the window at its top. */
export function useScrolledPast(element: RefObject<Element | null>): boolean {
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
