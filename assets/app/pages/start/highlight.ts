import { type Language, placeholder } from "../../first-steps/snippets.ts";

export type Kind = "plain" | "comment" | "string" | "word" | "missing";

export interface Piece {
  kind: Kind;
  text: string;
}

const comments: Record<Language, string> = {
  html: "<!--[^]*?-->",
  javascript: "/\\*[^]*?\\*/|(?<!:)//.*",
  python: "#.*",
  go: "(?<!:)//.*",
  shell: "(?<=^|\\s)#.*",
};
const strings: Record<Language, string> = {
  html: '"[^"]*"',
  javascript: "\"[^\"\\n]*\"|'[^'\\n]*'",
  python: '"""[^]*?"""|"[^"\\n]*"',
  go: '"(?:[^"\\\\\\n]|\\\\.)*"',
  shell: "\"[^\"\\n]*\"|'[^']*'",
};
const words: Record<Language, string> = {
  html: "(?<=<\\/?)script",
  javascript: "\\b(?:const|export|async|function|await|new|throw)\\b",
  python: "\\b(?:import|def|try|except|as|if|is|not|None)\\b",
  go: "\\b(?:package|import|const|func|if|return|defer|map|any|nil|var)\\b",
  shell: "\\b(?:curl|for|in|do|done|node|python3)\\b",
};

/** Splits a snippet into highlighted pieces. It knows only our own snippets, not the languages. */
export function highlight(text: string, language: Language): Piece[] {
  const pattern = new RegExp(`(${comments[language]})|(${strings[language]})|(${words[language]})`, "gm");
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    put(pieces, "plain", text.slice(from, found.index));
    put(pieces, found[1] !== undefined ? "comment" : found[2] !== undefined ? "string" : "word", found[0]);
    from = found.index + found[0].length;
  }
  put(pieces, "plain", text.slice(from));
  return pieces;
}

/** Highlights the placeholder for an unknown key, wherever it is. */
function put(pieces: Piece[], kind: Kind, text: string): void {
  text.split(placeholder).forEach((part, at) => {
    if (at > 0) pieces.push({ kind: "missing", text: placeholder });
    if (part !== "") pieces.push({ kind, text: part });
  });
}
