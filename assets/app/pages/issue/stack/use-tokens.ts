import { useEffect, useState } from "react";
import type { Language } from "./language.ts";
import type { Token } from "./pieces.ts";

/** Source blocks whose tokens are cached, so that a reopened frame is coloured at once. */
const keptMax = 200;
const kept = new Map<string, Token[][]>();

/** The tokens of source lines, when they are ready; plain text until then. */
export function useTokens(lines: string[], language: Language | undefined): Token[][] | undefined {
  const text = lines.join("\n");
  const key = `${language}\n${text}`;
  // Mounted blocks keep their colours when their cache entry is evicted.
  const [own, setOwn] = useState<{ key: string; tokens: Token[][] }>();
  useEffect(() => {
    if (language === undefined) return;
    let wanted = true;
    void tokensOf(key, text, language)
      .then((tokens) => wanted && setOwn({ key, tokens }))
      // Colours are a nicety: source without them can be read.
      .catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [key, text, language]);
  if (language === undefined) return undefined;
  return own?.key === key ? own.tokens : kept.get(key);
}

async function tokensOf(key: string, text: string, language: Language): Promise<Token[][]> {
  const known = kept.get(key);
  if (known) return known;
  const { highlight } = await import("./highlight.ts");
  const tokens = await highlight(text.split("\n"), language);
  if (kept.size >= keptMax) kept.clear();
  kept.set(key, tokens);
  return tokens;
}
