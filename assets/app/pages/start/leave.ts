import { useEffect, useState } from "react";

/** How long what has come is shown before the page turns to it, in seconds. */
const patience = 5;

interface Situation {
  focused: Element | null;
  visible: boolean;
  selecting: boolean;
}

/** Whether the page may turn by itself: nobody types, reads a dialog, selects text or looks away. */
export function mayTurn({ focused, visible, selecting }: Situation): boolean {
  if (!visible || selecting) return false;
  return !focused?.closest('input, textarea, select, [contenteditable="true"], [aria-modal="true"]');
}

const situation = (): Situation => ({
  focused: document.activeElement,
  visible: document.visibilityState === "visible",
  selecting: getSelection()?.isCollapsed === false,
});

/** Counts down and turns; holds on while the page may not. Gives the seconds left, and a way to stay. */
export function useTurn(wanted: boolean, turn: () => void): { left: number | undefined; stay: () => void } {
  const [left, setLeft] = useState(patience);
  const [staying, setStaying] = useState(false);
  const counting = wanted && !staying;
  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => {
      if (mayTurn(situation())) setLeft((seconds) => Math.max(0, seconds - 1));
    }, 1_000);
    return () => clearInterval(timer);
  }, [counting]);
  useEffect(() => {
    if (counting && left === 0) turn();
  }, [counting, left, turn]);
  return { left: counting ? left : undefined, stay: () => setStaying(true) };
}
