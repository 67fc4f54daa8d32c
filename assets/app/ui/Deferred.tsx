import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useFirstInput } from "./first-input.ts";
import { type Load, useComponent } from "./use-component.ts";

/** What a deferred control gets from its placeholder. */
export interface Opening {
  /** Whether the placeholder was clicked; then the control opens at once. */
  isPressed: boolean;
}

/** The props of the placeholder's button. */
export interface Press {
  onClick: () => void;
  "aria-haspopup": "menu";
  "aria-expanded": false;
}

interface Props<P> {
  /** Must be the same function in every render. */
  load: Load<P & Opening>;
  props: P;
  /** Renders the placeholder, which looks like the control. */
  children: (press: Press) => ReactNode;
}

interface Focus {
  start: number | null;
  end: number | null;
}

/**
 * A control whose code is loaded at the first input. Until then a placeholder that looks the same is shown; a click
 * on it opens the control as soon as possible, and the focus moves over with the caret.
 */
export function Deferred<P extends object>({ load, props, children }: Props<P>) {
  const Control = useComponent(load, useFirstInput());
  const [isPressed, setPressed] = useState(false);
  const { isHeld, hold } = useHold();
  const place = useRef<HTMLDivElement>(null);
  const focus = useRef<Focus>(undefined);
  useLayoutEffect(() => {
    if (!Control || isHeld || !focus.current) return;
    const target = place.current?.querySelector<HTMLElement>("input, button");
    target?.focus({ preventScroll: true });
    if (target instanceof HTMLInputElement) target.setSelectionRange(focus.current.start, focus.current.end);
    focus.current = undefined;
  }, [Control, isHeld]);
  const press = () => setPressed(true);
  return (
    <div ref={place} className="no-box" onPointerDown={Control ? undefined : hold}>
      {Control && !isHeld ? (
        <Control {...props} isPressed={isPressed} />
      ) : (
        <StandIn place={place} focus={focus}>
          {children({ onClick: press, "aria-haspopup": "menu", "aria-expanded": false })}
        </StandIn>
      )}
    </div>
  );
}

/** The longest time between a pointer's release and its click, in milliseconds. */
const clickWait = 50;

/** Whether a pointer is down: the pressed element must still be there for its click. */
function useHold() {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (!isHeld) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const lift = () => {
      timer = setTimeout(() => setHeld(false), clickWait);
    };
    document.addEventListener("pointerup", lift);
    document.addEventListener("pointercancel", lift);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerup", lift);
      document.removeEventListener("pointercancel", lift);
    };
  }, [isHeld]);
  return { isHeld, hold: () => setHeld(true) };
}

/** Notes whether it has the focus when it is removed. */
function StandIn({
  place,
  focus,
  children,
}: {
  place: RefObject<HTMLElement | null>;
  focus: RefObject<Focus | undefined>;
  children: ReactNode;
}) {
  useLayoutEffect(() => {
    return () => {
      const focused = document.activeElement;
      if (!focused || !place.current?.contains(focused)) return;
      const { selectionStart: start, selectionEnd: end } =
        focused instanceof HTMLInputElement ? focused : { selectionStart: null, selectionEnd: null };
      focus.current = { start, end };
    };
  }, [place, focus]);
  return children;
}
