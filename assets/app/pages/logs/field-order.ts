// The names of the list of fields, and their order.

/** The fields that any entry may have, in the order in which an open entry shows them. */
const builtIn = [
  "level",
  "logger",
  "user",
  "account",
  "environment",
  "release",
  "trace",
  "span",
  "file",
  "function",
  "template",
];

/** The order of names, with numbers in them as numbers. */
export const { compare } = new Intl.Collator("en", { numeric: true });

const prefix = "attributes.";
const isAttribute = (name: string) => name.startsWith(prefix);

/** A field's name under the heading of its group. */
export const labelOf = (name: string): string =>
  isAttribute(name) && name !== prefix ? name.slice(prefix.length) : name;

/** Whether a field is listed: nobody can read the values of `template`, which are hashes, and templates have a view. */
export const isListed = (name: string, chosen: string | undefined): boolean => name !== "template" || name === chosen;

/** The built-in fields first, then the attributes by name, with numbers in names as numbers; no empty groups. */
export function fieldGroups(names: readonly string[]): { title: string; names: string[] }[] {
  const place = (name: string) => (builtIn.includes(name) ? builtIn.indexOf(name) : builtIn.length);
  const groups = [
    {
      title: "Built-in",
      names: names.filter((name) => !isAttribute(name)).sort((a, b) => place(a) - place(b) || compare(a, b)),
    },
    { title: "Attributes", names: names.filter(isAttribute).sort(compare) },
  ];
  return groups.filter((group) => group.names.length > 0);
}
