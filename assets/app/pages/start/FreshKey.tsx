import { KeyRound } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Snippet } from "../../ui/Snippet.tsx";
import classes from "./Start.module.css";

interface Props {
  text: string;
  label: string;
  /** Whether this is the only time that it is shown. */
  once?: boolean;
  /** Whether it was made just now, by a form that is gone and the focus with it. */
  isNew: boolean;
  children: ReactNode;
}

/** A key to be copied. */
export function FreshKey({ text, label, once = false, isNew, children }: Props) {
  const said = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new key
  useEffect(() => {
    if (isNew && document.activeElement === document.body) said.current?.focus();
  }, [text, isNew]);
  return (
    <>
      <p className={once ? classes.important : classes.about} ref={said} tabIndex={-1}>
        {once ? (
          <>
            <KeyRound size="1rem" aria-hidden />
            <span>
              <strong>It is shown this once.</strong> Only its hash is stored, so nobody can look it up later.
            </span>
          </>
        ) : (
          "The snippet below has it in it."
        )}
      </p>
      <Snippet label={label} text={text} />
      <p className={classes.about}>{children}</p>
    </>
  );
}
