import { type FocusEvent, type RefObject, useEffect, useState } from "react";

/**
 * Whether the focus is within an element, which takes it at first, and again when what has it within goes: a button
 * that tries again is gone once it has worked. The handlers are the element's.
 */
export function useHeldFocus(box: RefObject<HTMLElement | null>) {
  const [hasFocus, setFocus] = useState(false);
  // What was pressed to show the element may be gone.
  useEffect(() => {
    box.current?.focus();
  }, [box]);
  useEffect(() => {
    const element = box.current;
    if (!element || !hasFocus) return;
    const observer = new MutationObserver(() => {
      if (document.activeElement === document.body) element.focus({ preventScroll: true });
    });
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [box, hasFocus]);
  const onFocus = () => setFocus(true);
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // From a dialog, such as the one that lists the keys, the focus comes back.
    const isDialog = relatedTarget?.closest('[aria-modal="true"]');
    if (!currentTarget.contains(relatedTarget) && !isDialog) setFocus(false);
  };
  return { hasFocus, handlers: { onFocus, onBlur } };
}
