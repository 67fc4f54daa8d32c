import { KeyRound } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Snippet } from "../../ui/Snippet.tsx";
import classes from "./Start.module.css";

interface Props {
  text: string;
  label: string;
  /** Whether it is never shown again. */
  once?: boolean;
  /** Whether it has just been created, by a form that took the focus with it. */
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
              <strong>Copy it now.</strong> Only a hash is stored, so it cannot be shown again.
            </span>
          </>
        ) : (
          "The snippet below contains it."
        )}
      </p>
      <Snippet label={label} text={text} />
      <p className={classes.about}>{children}</p>
    </>
  );
}
