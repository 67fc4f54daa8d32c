export interface Facet {
  name: string;
  parent?: Facet;
  count: number;
}

/** The filters of an address such as `?q=tea&brand=…`. */
export function filtersOf(query: string): Map<string, string> {
  const filters = new Map<string, string>();
  for (const part of query.split("&")) {
    const [name = "", value = ""] = part.split("=");
    filters.set(name, decodeURIComponent(value));
  }
  return filters;
}

export function highlight(text: string, words: string): string {
  const pattern = new RegExp(words, "gi");
  return text.replace(pattern, (word) => `<mark>${word}</mark>`);
}

/** How deep a facet lies below its category. */
export function depthOf(facet: Facet): number {
  if (!facet.parent) return 0;
  return 1 + depthOf(facet.parent);
}

export async function suggest(words: string, signal: AbortSignal): Promise<string[]> {
  await Promise.resolve();
  signal.throwIfAborted();
  return [words];
}

export function rank(results: { score?: { value: number } }[]): number[] {
  return results.map((result) => weightOf(result)).sort((one, other) => other - one);
}

function weightOf(result: { score?: { value: number } }): number {
  const { value } = result.score!;
  return Math.log1p(value);
}
