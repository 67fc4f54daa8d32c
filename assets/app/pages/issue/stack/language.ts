/** Languages that are coloured; everything else is plain text. */
export const languages = ["typescript", "tsx", "python", "ruby", "java", "go", "rust", "php"] as const;
export type Language = (typeof languages)[number];

// The grammar of tsx reads all of JavaScript, too.
const endings: Record<string, Language> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  js: "tsx",
  jsx: "tsx",
  mjs: "tsx",
  cjs: "tsx",
  vue: "tsx",
  svelte: "tsx",
  py: "python",
  rb: "ruby",
  java: "java",
  go: "go",
  rs: "rust",
  php: "php",
};

/** The language of a file, by its extension. */
export function languageOf(file: string | undefined): Language | undefined {
  const ending = /\.(\w{1,6})(?:[?#].*)?$/.exec(file ?? "")?.[1]?.toLowerCase();
  return ending !== undefined && Object.hasOwn(endings, ending) ? endings[ending] : undefined;
}
