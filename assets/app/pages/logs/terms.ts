// Parts of a search: `field:value` as the server's language writes it.

/** The most bytes of an attribute's path that can be searched. */
const pathMost = 200;

/** Whether a field can be named in a search. */
export function canAsk(field: string): boolean {
  const path = field.replace(/^attributes\./, "");
  return path !== "" && new TextEncoder().encode(path).length <= pathMost;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** A field as a search names it: some paths of attributes need quotes. */
const named = (field: string): string => (/[\s\u0085"()|:\\]/.test(field) ? quoted(field) : field);

/** `field:value`, quoted where the value needs it. */
export function term(field: string, value: string): string {
  const plain = /^[^\s\u0085"()|,*\\]+$/.test(value);
  return `${named(field)}:${plain ? value : quoted(value)}`;
}

export type Way = "only" | "not";

/** A search with one more condition. An existing one stays, and its opposite is removed. */
export function withTerm(query: string | undefined, part: string, way: Way): string {
  const [wanted, opposite] = way === "only" ? [part, `-${part}`] : [`-${part}`, part];
  const kept = without(query ?? "", opposite);
  return has(kept, wanted) ? kept : `${kept} ${wanted}`.trim();
}

/** The position of a part that is separated by spaces and not within quotes. */
function placeOf(query: string, part: string): number {
  for (let at = query.indexOf(part); at >= 0; at = query.indexOf(part, at + 1)) {
    const alone =
      (at === 0 || query[at - 1] === " ") && (at + part.length === query.length || query[at + part.length] === " ");
    const quotes = query.slice(0, at).replaceAll('\\"', "").split('"').length - 1;
    if (alone && quotes % 2 === 0) return at;
  }
  return -1;
}

const has = (query: string, part: string): boolean => placeOf(query, part) >= 0;

function without(query: string, part: string): string {
  const at = placeOf(query, part);
  return at < 0 ? query : `${query.slice(0, at).trimEnd()} ${query.slice(at + part.length).trimStart()}`.trim();
}
