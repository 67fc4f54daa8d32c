/** Keys of the query language that are no tags. */
const fields = new Set(["environment", "release", "user", "account"]);

/** The query that finds issues with this value; `undefined` when the language cannot say it. */
export function tagQuery(key: string, value: string): string | undefined {
  if (value === "" || /[:"\s]/.test(key) || key === "") return undefined;
  const name = fields.has(key) ? key : `tag.${key}`;
  if (!/["\s]/.test(value)) return `${name}:${value}`;
  return value.includes('"') ? undefined : `${name}:"${value}"`;
}
