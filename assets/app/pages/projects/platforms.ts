/** What a project's code runs on: those with words of their own; the field itself takes any text. */
export const platforms = [
  { value: "javascript", label: "Browser JavaScript" },
  { value: "react", label: "React" },
  { value: "vue", label: "Vue" },
  { value: "svelte", label: "Svelte" },
  { value: "nextjs", label: "Next.js" },
  { value: "node", label: "Node.js" },
  { value: "python", label: "Python" },
] as const;

/** Most characters of a name, and of a platform; the server holds the same. */
export const nameMax = 128;
export const platformMax = 64;

export const fields = ["name", "platform"] as const;
export type FieldName = (typeof fields)[number];

/** What can be told wrong without asking the server. */
export function problemsOf(name: string, platform: string): Partial<Record<FieldName, string>> {
  const problems: Partial<Record<FieldName, string>> = {};
  const length = [...name.trim()].length;
  if (length === 0) problems.name = "Enter a name, such as “Shop” or “Billing API”.";
  else if (length > nameMax) problems.name = `Use at most ${nameMax} characters; this has ${length}.`;
  const long = [...platform.trim()].length;
  if (long > platformMax) problems.platform = `Use at most ${platformMax} characters; this has ${long}.`;
  return problems;
}
