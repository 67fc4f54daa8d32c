import { useRef } from "react";
import type { Language } from "../../first-steps/snippets.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import frame from "../../ui/Snippet.module.css";
import { highlight } from "./highlight.ts";
import classes from "./Start.module.css";

/** A snippet with its language lightly marked; copied as text. */
export function Code({ text, language, label }: { text: string; language: Language; label: string }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <div className={frame.snippet}>
      <pre tabIndex={0} role="group" aria-label={label}>
        <code ref={shown}>
          {highlight(text, language).map((piece, at) => (
            <span key={at} className={classes[piece.kind]}>
              {piece.text}
            </span>
          ))}
        </code>
      </pre>
      <CopyButton text={text} label={`Copy: ${label}`} shown={shown} />
    </div>
  );
}
