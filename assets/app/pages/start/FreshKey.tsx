import { KeyRound } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Snippet } from "../../ui/Snippet.tsx";
import classes from "./Start.module.css";

/** A key that was just made, the once that it is shown. */
export function FreshKey({ text, label, children }: { text: string; label: string; children: ReactNode }) {
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The form that made it is gone, and the focus with it.
    if (document.activeElement === document.body) said.current?.focus();
  }, [text]);
  return (
    <>
      <p className={classes.important} ref={said} tabIndex={-1}>
        <KeyRound size="1rem" aria-hidden />
        <span>
          <strong>It is shown this once.</strong> Only its hash is stored, so nobody can look it up later.
        </span>
      </p>
      <Snippet label={label} text={text} />
      <p className={classes.about}>{children}</p>
    </>
  );
}
