import { type ReactNode, useState } from "react";
import classes from "./Fold.module.css";
import { useCut } from "./use-cut.ts";

interface Props {
  /** What it is about, for those who do not see it beside the button. */
  of: string;
  children: ReactNode;
}

/** The first lines of a text; the rest on demand. */
export function Fold({ of, children }: Props) {
  const [isWhole, setWhole] = useState(false);
  const { frame, content, isCut } = useCut<HTMLDivElement>(isWhole);
  return (
    <>
      <div ref={frame} className={isWhole ? undefined : classes.folded}>
        <div ref={content} className={classes.text}>
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
