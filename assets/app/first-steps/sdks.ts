/** The ways to send errors that the page shows, the most common first. */
export const sdks = [
  { id: "script", name: "Script tag" },
  { id: "react", name: "React" },
  { id: "vue", name: "Vue" },
  { id: "svelte", name: "Svelte" },
  { id: "nextjs", name: "Next.js" },
  { id: "node", name: "Node.js" },
  { id: "python", name: "Python" },
  { id: "go", name: "Go" },
  { id: "curl", name: "curl" },
] as const;

export type Sdk = (typeof sdks)[number]["id"];

const browsers = new Set(["javascript", "browser", "angular"]);
const same: Record<string, Sdk> = {
  react: "react",
  vue: "vue",
  nuxt: "vue",
  svelte: "svelte",
  sveltekit: "svelte",
  nextjs: "nextjs",
  "next.js": "nextjs",
  node: "node",
  "node.js": "node",
  nodejs: "node",
  deno: "curl",
  python: "python",
  django: "python",
  flask: "python",
  go: "go",
  golang: "go",
};

/** Why there is nothing to upload; other SDKs report code that may be minified, so that it needs source maps. */
export const withoutMaps: Partial<Record<Sdk, string>> = {
  python: "Python prints the line of source with every frame, so each frame arrives with its function, file and line.",
  go: "Go prints the function, file and line of every frame, as they are in your sources.",
  curl: "Stacks of code that is not minified name the function, file and line of every frame, as they are in your sources. For minified JavaScript, choose the tab of your framework above: it shows how to upload source maps.",
};

/** Whether the code may be minified, so that it needs source maps. */
export const isMinified = (sdk: Sdk): boolean => withoutMaps[sdk] === undefined;

/** The SDK in the address, or else the one for the project's platform. */
export function sdkOf(wanted: unknown, platform: string | null | undefined): Sdk {
  const named = sdks.find(({ id }) => id === wanted);
  if (named) return named.id;
  const runsOn = platform?.toLowerCase() ?? "";
  if (runsOn === "" || browsers.has(runsOn)) return "script";
  return same[runsOn] ?? "curl";
}
