// The part of shiki that highlights source, loaded when the first frame opens. It returns kinds of tokens, not
// markup; style sheets define their look.

import { type HighlighterCore, createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import type { Language } from "./language.ts";
import type { Token } from "./pieces.ts";

/**
 * Limits on what is highlighted: characters of a line, and lines and characters of a block; larger texts stay plain.
 * Not a time limit: compiling a grammar takes longest for the first lines, which would stay plain.
 */
export const most = { line: 1_000, lines: 100, block: 20_000 };

const grammars = {
  typescript: () => import("shiki/langs/typescript.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  php: () => import("shiki/langs/php.mjs"),
} satisfies Record<Language, () => Promise<unknown>>;

const theme = createCssVariablesTheme({ variablePrefix: "" });
let highlighter: Promise<HighlighterCore> | undefined;
const warm = new Map<Language, Promise<HighlighterCore>>();

/** The tokens of each line. */
export async function highlight(lines: string[], language: Language): Promise<Token[][]> {
  const text = lines.join("\n");
  if (lines.length > most.lines || text.length > most.block) return lines.map(() => []);
  return tokensOf(await warmed(language), text, language);
}

function tokensOf(core: HighlighterCore, text: string, language: Language): Token[][] {
  const options = {
    lang: language,
    theme: theme.name ?? "css-variables",
    tokenizeMaxLineLength: most.line,
    tokenizeTimeLimit: 0,
  };
  const { tokens } = core.codeToTokens(text, options);
  return tokens.map((line) => line.map(({ content, color }) => ({ length: content.length, kind: kindOf(color) })));
}

/**
 * A highlighter with the language's grammar, whose first patterns are compiled in a separate task, so that the page
 * stays responsive.
 */
function warmed(language: Language): Promise<HighlighterCore> {
  const known = warm.get(language);
  if (known) return known;
  const warming = load(language).then(async (core) => {
    tokensOf(core, "a = 1", language);
    await new Promise((next) => setTimeout(next));
    return core;
  });
  warm.set(language, warming);
  // A failed load is retried by the next frame.
  warming.catch(() => warm.delete(language));
  return warming;
}

async function load(language: Language): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const core = await highlighter;
  await core.loadLanguage(grammars[language]());
  return core;
}

/** The kind in `var(--token-keyword)` is `keyword`; plain text has none. */
const kindOf = (color: string | undefined): string | undefined => /token-([\w-]+)/.exec(color ?? "")?.[1];
