// The part of shiki that colours source, loaded when the first frame opens. It yields kinds of
// tokens and no markup; style sheets say what a kind looks like.

import { type HighlighterCore, createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import type { Language } from "./language.ts";
import type { Token } from "./pieces.ts";

/** Longer lines stay plain, in characters; and each line gets so long, in milliseconds. */
const longest = 1_000;
const patience = 50;

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

/** The tokens of each line. */
export async function highlight(lines: string[], language: Language): Promise<Token[][]> {
  highlighter ??= createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });
  const core = await highlighter;
  await core.loadLanguage(grammars[language]());
  const options = { lang: language, theme: theme.name ?? "css-variables", tokenizeMaxLineLength: longest, tokenizeTimeLimit: patience };
  const { tokens } = core.codeToTokens(lines.join("\n"), options);
  return tokens.map((line) => line.map(({ content, color }) => ({ length: content.length, kind: kindOf(color) })));
}

/** `var(--token-keyword)` is a keyword; the colours of plain text are none. */
const kindOf = (color: string | undefined): string | undefined => /token-([\w-]+)/.exec(color ?? "")?.[1];
