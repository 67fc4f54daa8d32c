// A value that events can be filtered by, as addresses and the API name it: `tag.browser:Chrome 141`.

/** `undefined` for a value that cannot be named. */
export function facetOf(name: string, value: string): string | undefined {
  if (name === "" || name === "tag." || name.includes(":") || value === "") return undefined;
  return `${name}:${value}`;
}

/** The key and value as people know them; `undefined` if the text is not a facet. */
export function facetParts(facet: string): { key: string; value: string } | undefined {
  const [, name, value] = /^([^:]+):([^]+)$/.exec(facet) ?? [];
  if (name === undefined || value === undefined) return undefined;
  return { key: name.replace(/^tag\./, ""), value };
}

/** The query that finds issues with the value; `undefined` when the query language cannot express it. */
export function facetQuery(facet: string): string | undefined {
  const parts = facetParts(facet);
  if (parts === undefined || /["\s]/.test(parts.key)) return undefined;
  const name = facet.slice(0, facet.indexOf(":"));
  if (!/["\s]/.test(parts.value)) return facet;
  return parts.value.includes('"') ? undefined : `${name}:"${parts.value}"`;
}
