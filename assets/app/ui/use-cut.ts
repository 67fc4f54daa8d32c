import { type RefObject, useLayoutEffect, useRef, useState } from "react";

type Box = Pick<HTMLElement, "scrollHeight" | "clientHeight">;

/** Whether a text is higher than its frame may be; a pixel is lost to rounding. */
const isHigher = ({ scrollHeight, clientHeight }: Box): boolean => scrollHeight > clientHeight + 1;

/** Says whether the frame cuts what it holds, now and whenever either changes its size; returns how to stop. */
export function watchCut(frame: HTMLElement, content: HTMLElement | null, say: (isCut: boolean) => void): () => void {
  const measure = () => say(isHigher(frame));
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(frame);
  if (content) observer.observe(content);
  return () => observer.disconnect();
}

interface Cut<F, C> {
  frame: RefObject<F | null>;
  /** An element in the frame that grows with the text, where the frame does not. */
  content: RefObject<C | null>;
  isCut: boolean;
}

/**
 * Whether a text is cut by its frame, which is as high as the text while `isWhole`: what was cut stays so until it is
 * folded again. `text` is measured anew when it becomes another.
 */
export function useCut<F extends HTMLElement, C extends HTMLElement = F>(isWhole: boolean, text?: string): Cut<F, C> {
  const frame = useRef<F>(null);
  const content = useRef<C>(null);
  const [isCut, setCut] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a text of the same height changes no size.
  useLayoutEffect(() => {
    if (!frame.current || isWhole) return;
    return watchCut(frame.current, content.current, setCut);
  }, [isWhole, text]);
  return { frame, content, isCut };
}
