/** The suggested platforms; the field accepts any text. */
export const platforms = [
  { value: "javascript", label: "Browser JavaScript" },
  { value: "react", label: "React" },
  { value: "vue", label: "Vue" },
  { value: "svelte", label: "Svelte" },
  { value: "nextjs", label: "Next.js" },
  { value: "node", label: "Node.js" },
  { value: "python", label: "Python" },
  { value: "go", label: "Go" },
] as const;

/** The most characters of a name and of a platform, the same as the server's. */
export const nameMax = 128;
export const platformMax = 64;

/** The client-side checks. */
export function problemsOf(name: string, platform: string): { name?: string; platform?: string } {
  const problems: ReturnType<typeof problemsOf> = {};
  const length = [...name.trim()].length;
  if (length === 0) problems.name = "Enter a name, such as “Shop” or “Billing API”.";
  else if (length > nameMax) problems.name = `Use at most ${nameMax} characters; this has ${length}.`;
  const long = [...platform.trim()].length;
  if (long > platformMax) problems.platform = `Use at most ${platformMax} characters; this has ${long}.`;
  return problems;
}
