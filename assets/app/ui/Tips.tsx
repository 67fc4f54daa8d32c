import { type FloatingPosition, Tooltip } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore } from "react";
import { shownTip, subscribeToTips } from "./tip.ts";

/** How long the pointer rests on an element before its tooltip opens, in milliseconds; as the theme has it. */
const delay = 300;

/** The tooltips of all elements with `data-tip`. */
export default function Tips() {
  const pointed = usePointed();
  const shown = useSyncExternalStore(subscribeToTips, shownTip);
  const target = shown ?? pointed;
  if (!(target instanceof HTMLElement) || !target.dataset.tip || saysItself(target)) return null;
  const side = (target.dataset.tipSide ?? "top") as FloatingPosition;
  return <Tooltip opened label={target.dataset.tip} position={side} target={target} />;
}

/** The element under the pointer, if it has a tooltip. Pressing a button or a key closes the tooltip. */
function usePointed(): Element | undefined {
  const [pointed, setPointed] = useState<Element>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: Element | undefined;
    const rest = (event: PointerEvent) => {
      const found = event.pointerType === "mouse" ? (tipped(event.target) ?? undefined) : undefined;
      if (found === current) return;
      close();
      current = found;
      if (found) timer = setTimeout(() => setPointed(found), delay);
    };
    const close = () => {
      clearTimeout(timer);
      setPointed(undefined);
    };
    document.addEventListener("pointerover", rest);
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    document.documentElement.addEventListener("pointerleave", close);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerover", rest);
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
      document.documentElement.removeEventListener("pointerleave", close);
    };
  }, []);
  return pointed;
}

/** Whether the element shows its word, which is hidden from sight where there is no room. */
const saysItself = (target: HTMLElement) => (target.querySelector<HTMLElement>("[data-word]")?.offsetWidth ?? 0) > 1;

const tipped = (target: EventTarget | null) => (target instanceof Element ? target.closest("[data-tip]") : null);
