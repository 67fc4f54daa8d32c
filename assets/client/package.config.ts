import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Plugin, defineConfig } from "vite";
import { metered } from "./replay/metered.ts";
import { version } from "./version.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The interface that has an entry's exports; by default the client's. */
const interfaces: Record<string, string> = { node: "NodeMayday", replay: "Replay" };

/** Writes the type declarations of each entry: those in `types.ts`, and each export as a member of its interface. */
function types(): Plugin {
  return {
    name: "types",
    generateBundle(_options, bundle) {
      const source = readFileSync(here("types.ts"), "utf8");
      for (const file of Object.values(bundle)) {
        if (file.type !== "chunk" || !file.isEntry) continue;
        const client = interfaces[file.name] ?? "Mayday";
        const names = file.exports.map((name) => `export declare const ${name}: ${client}["${name}"];\n`);
        const fileName = file.fileName.replace(/js$/, "ts").replace(".", ".d.");
        this.emitFile({ type: "asset", fileName, source: `${source}\n${names.join("")}` });
      }
    },
  };
}

const cjs = (format: string) => format === "cjs";

// The package `mayday-client`, which `npm pack` makes from this folder.
export default defineConfig({
  root: here("."),
  publicDir: false,
  define: { VERSION: JSON.stringify(version()) },
  build: {
    outDir: here("dist"),
    emptyOutDir: true,
    target: "es2020",
    minify: false,
    reportCompressedSize: false,
    license: { fileName: "licenses.md" },
    lib: {
      entry: { index: here("index.ts"), node: here("node.ts"), replay: here("replay/index.ts") },
      formats: ["es", "cjs"],
      fileName: (format, name) => `${name}.${cjs(format) ? "cjs" : "js"}`,
    },
    rolldownOptions: { external: [/^node:/] },
  },
  plugins: [metered(), types()],
});
