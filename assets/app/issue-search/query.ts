// Parses the list's query language as far as the page edits it; the server has the last word.

/** One term of a query with its place in the text. */
export interface Term {
  text: string;
  start: number;
  end: number;
}

/** Splits a query into its terms; quotes group words. */
export function terms(query: string): Term[] {
  const found: Term[] = [];
  for (const match of query.matchAll(/(?:"[^"]*"|[^\s"])+|"[^"]*$/g)) {
    found.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** The term at or right before the caret, or an empty one between terms. */
export function termAt(query: string, caret: number): Term {
  const term = terms(query).find(({ start, end }) => start <= caret && caret <= end);
  return term ?? { text: "", start: caret, end: caret };
}

/** `key:value`, quoted where the value needs it. A quote cannot be written within quotes. */
export function term(key: string, value: string): string {
  const clean = value.replaceAll('"', " ").trim();
  return /\s|^$/.test(clean) || clean !== value ? `${key}:"${clean}"` : `${key}:${clean}`;
}

/** The query with a term replaced, followed by a space for the next one unless it is a key that awaits its value. */
export function replaced(query: string, old: Term, text: string): { query: string; caret: number } {
  const after = query.slice(old.end).trimStart();
  const head = `${query.slice(0, old.start)}${text}${/^[^:]*[:.]$/.test(text) ? "" : " "}`;
  return { query: head + after, caret: head.length };
}
