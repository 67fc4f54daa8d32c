import { useEffect, useState } from "react";
import type { Language } from "./language.ts";
import type { Token } from "./pieces.ts";

/** Blocks of source whose tokens are kept: closing and opening a frame colours it at once. */
const keptMax = 200;
const kept = new Map<string, Token[][]>();

/** The tokens of lines of source, once they are known. Without them, or ever: plain text. */
export function useTokens(lines: string[], language: Language | undefined): Token[][] | undefined {
  const text = lines.join("\n");
  const key = `${language}\n${text}`;
  const [, redraw] = useState(0);
  useEffect(() => {
    if (language === undefined || kept.has(key)) return;
    let wanted = true;
    void import("./highlight.ts")
      .then(({ highlight }) => highlight(text.split("\n"), language))
      .then((tokens) => {
        if (kept.size >= keptMax) kept.clear();
        kept.set(key, tokens);
        if (wanted) redraw((count) => count + 1);
      })
      // Colours are a nicety: source without them can be read.
      .catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [key, text, language]);
  return language === undefined ? undefined : kept.get(key);
}
