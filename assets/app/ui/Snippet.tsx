import { useRef } from "react";
import { CopyButton } from "./CopyButton.tsx";
import classes from "./Snippet.module.css";

/** A block of text to paste elsewhere, with a button that copies it. */
export function Snippet({ text, label }: { text: string; label: string }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <div className={classes.snippet}>
      {/* Several lines scroll sideways, so they must be reachable by keyboard. */}
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        data-one-line={text.trimEnd().includes("\n") ? undefined : true}
      >
        <code ref={shown}>{text}</code>
      </pre>
      <CopyButton text={text} label={`Copy: ${label}`} shown={shown} />
    </div>
  );
}
