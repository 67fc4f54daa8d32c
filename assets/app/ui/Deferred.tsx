import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useFirstInput } from "./first-input.ts";
import { type Load, useComponent } from "./use-component.ts";

/** What a control that opens something needs to know of the time before its code was there. */
export interface Opening {
  /** It was clicked then, and opens at once. */
  isPressed: boolean;
}

/** For the button that stands in until then. */
export interface Press {
  onClick: () => void;
  "aria-haspopup": "menu";
  "aria-expanded": false;
}

interface Props<P> {
  /** Always the same function. */
  load: Load<P & Opening>;
  props: P;
  /** Looks like the control. */
  children: (press: Press) => ReactNode;
}

interface Focus {
  start: number | null;
  end: number | null;
}

/**
 * A control whose code comes with the first input. Until then something that looks the same stands in for it; a click
 * on that opens the control as soon as it can, and the focus moves over with the caret.
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

/** How long after the pointer was lifted its click may come, in milliseconds. */
const clickWait = 50;

/** Whether a pointer is down: what it went down on must still be there for its click. */
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

/** Notes whether it has the focus when it goes. */
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
