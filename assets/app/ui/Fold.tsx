import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import classes from "./Fold.module.css";

interface Props {
  /** What it is about, for those who do not see it beside the button. */
  of: string;
  children: ReactNode;
}

/** The first lines of a text; the rest on demand. */
export function Fold({ of, children }: Props) {
  const [isWhole, setWhole] = useState(false);
  const { frame, text, isCut } = useCut(isWhole);
  return (
    <>
      <div ref={frame} className={isWhole ? undefined : classes.folded}>
        <div ref={text} className={classes.text}>
          {children}
        </div>
      </div>
      {isCut && (
        <button type="button" className={classes.toggle} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show all"}
          <span className="unseen"> of {of}</span>
        </button>
      )}
    </>
  );
}

/** Whether a text is higher than its frame may be. */
function useCut(isWhole: boolean) {
  const frame = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const [outer, inner] = [frame.current, text.current];
    // The frame of a whole text is as high as that: what was cut stays so until it is folded again.
    if (!outer || !inner || isWhole) return;
    const measure = () => setCut(outer.scrollHeight > outer.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [isWhole]);
  return { frame, text, isCut };
}
