import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { type Rolldown, build } from "vite";
import { fonts } from "./fonts.ts";

const app = (name: string) => fileURLToPath(new URL(`../app/${name}`, import.meta.url));

/**
 * The modules that some modules of the app need at once, found by a build of these alone: what is needed of a package
 * with hundreds of exports is known only once the rest has been shaken off.
 */
export async function modulesOf(...names: string[]): Promise<ReadonlySet<string>> {
  const built = await build({
    root: app(""),
    configFile: false,
    logLevel: "error",
    plugins: [react(), fonts()],
    build: {
      write: false,
      minify: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: names.map(app) },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const chunks = new Map(output.filter((file) => file.type === "chunk").map((chunk) => [chunk.fileName, chunk]));
  const entries = [...chunks.values()].filter((chunk) => chunk.isEntry);
  // A set that grows while it is walked is walked to its end.
  const found = new Set(entries);
  for (const chunk of found)
    for (const name of chunk.imports) {
      const imported = chunks.get(name);
      if (imported) found.add(imported);
    }
  return new Set([...found].flatMap((chunk) => chunk.moduleIds).filter((id) => id !== app("main.tsx")));
}
