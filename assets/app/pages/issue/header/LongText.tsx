import { useState } from "react";
import { exact } from "../../../ui/format.ts";
import { useCut } from "../../../ui/use-cut.ts";
import { visible } from "../../../ui/visible.ts";
import classes from "./Header.module.css";

/** Characters that are laid out while the text is cut; two lines hold fewer. */
const cutAt = 1_000;

/** A text in a few lines; all of it on demand. */
export function LongText({ text, lines = 2 }: { text: string; lines?: number }) {
  const [isWhole, setWhole] = useState(false);
  const { frame, isCut } = useCut(isWhole, text);
  const isLong = text.length > cutAt;
  return (
    <span className={classes.long}>
      <bdi
        ref={frame}
        className={isWhole ? classes.whole : classes.clamped}
        style={isWhole ? undefined : { WebkitLineClamp: lines }}
        // Scrolls, so the keyboard must get into it.
        {...(isWhole ? { tabIndex: 0, role: "group", "aria-label": "Full text" } : {})}
      >
        {visible(isWhole ? text : text.slice(0, cutAt))}
      </bdi>
      {(isLong || isCut) && (
        <button type="button" className={classes.toggle} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : isLong ? `Show all ${exact(text.length)} characters` : "Show all"}
        </button>
      )}
    </span>
  );
}
