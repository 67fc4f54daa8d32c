import { type KeyboardEvent, type PointerEvent, useState } from "react";

/** Bars that are chosen; `from` is where it began, and may be the later one. */
export interface Chosen {
  from: number;
  to: number;
}

interface Dragged extends Chosen {
  /** Where the pointer went down, in CSS pixels. */
  x: number;
  /** The pointer has moved since. */
  moved: boolean;
}

/** A pointer that moves less than this was pressed, not dragged, in CSS pixels. */
const least = 4;

/** Reading and choosing bars: by the pointer with a drag, by the keyboard with Shift, arrows and Enter. */
export function useZoom(count: number, zoom: (from: number, to: number) => void) {
  const [read, setRead] = useState<Chosen>();
  const [dragged, setDragged] = useState<Dragged>();
  const last = count - 1;
  const inside = (at: number) => Math.min(last, Math.max(0, at));
  const barAt = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return inside(Math.floor(((clientX - left) / width) * count));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (last < 0) return;
    if (event.key === "Enter" && read) zoom(read.from, read.to);
    else if (event.key === "Escape" && read) setRead(undefined);
    else {
      const steps: Record<string, number> = {
        ArrowLeft: -1,
        ArrowDown: -1,
        ArrowRight: 1,
        ArrowUp: 1,
        PageDown: -10,
        PageUp: 10,
        Home: -Infinity,
        End: Infinity,
      };
      const step = steps[event.key];
      if (step === undefined) return;
      setRead((now) => {
        const to = inside((now?.to ?? (step < 0 ? last + 1 : last)) + step);
        return { from: event.shiftKey && now ? now.from : to, to };
      });
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const handlers = {
    onKeyDown,
    onBlur: () => setRead(undefined),
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || last < 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const at = barAt(event);
      setDragged({ from: at, to: at, x: event.clientX, moved: false });
    },
    onPointerMove: (event: PointerEvent) => {
      const at = barAt(event);
      if (dragged)
        setDragged({ ...dragged, to: at, moved: dragged.moved || Math.abs(event.clientX - dragged.x) >= least });
      else if (last >= 0) setRead({ from: at, to: at });
    },
    onPointerUp: () => {
      if (dragged?.moved) zoom(dragged.from, dragged.to);
      setDragged(undefined);
    },
    onPointerCancel: () => setDragged(undefined),
    onPointerLeave: () => setRead(undefined),
  };
  return { chosen: (dragged ?? read) as Chosen | undefined, handlers };
}
