import { useLayoutEffect, useRef, useState } from "react";
import { exact } from "../../../ui/format.ts";
import { visible } from "../../../ui/visible.ts";
import classes from "./Header.module.css";

/** Characters that are laid out while the text is cut; two lines hold fewer. */
const cutAt = 1_000;

/** A text in a few lines; all of it on demand. */
export function LongText({ text, lines = 2 }: { text: string; lines?: number }) {
  const [isWhole, setWhole] = useState(false);
  const [isCut, setCut] = useState(false);
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element || isWhole) return;
    const measure = () => setCut(text.length > cutAt || element.scrollHeight > element.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [text, isWhole]);
  return (
    <span className={classes.long}>
      <bdi
        ref={place}
        className={isWhole ? classes.whole : classes.clamped}
        style={isWhole ? undefined : { WebkitLineClamp: lines }}
        // Scrolls, so the keyboard must get into it.
        {...(isWhole ? { tabIndex: 0, role: "group", "aria-label": "Full text" } : {})}
      >
        {visible(isWhole ? text : text.slice(0, cutAt))}
      </bdi>
      {isCut && (
        <button type="button" className={classes.toggle} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : text.length > cutAt ? `Show all ${exact(text.length)} characters` : "Show all"}
        </button>
      )}
    </span>
  );
}
