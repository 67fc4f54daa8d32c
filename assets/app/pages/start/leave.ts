import { useEffect, useState } from "react";

/** How long an arrived event is shown before its page is opened automatically, in seconds. */
const patience = 5;

interface Situation {
  focused: Element | null;
  visible: boolean;
  selecting: boolean;
}

/** Whether the page may change automatically: nobody types, reads a dialog, selects text or has left it. */
export function mayTurn({ focused, visible, selecting }: Situation): boolean {
  if (!visible || selecting) return false;
  return !focused?.closest('input, textarea, select, [contenteditable="true"], [aria-modal="true"]');
}

const situation = (): Situation => ({
  focused: document.activeElement,
  visible: document.visibilityState === "visible",
  selecting: getSelection()?.isCollapsed === false,
});

/**
 * Counts down and then opens the page; pauses while it may not change. Returns the seconds left, and a function to
 * stay.
 */
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
