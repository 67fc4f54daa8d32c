import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { precompress } from "../build/precompress.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The server's version, which the client names itself by. */
function version(): string {
  const found = /^version = "([^"]+)"$/m.exec(readFileSync(here("../../Cargo.toml"), "utf8"))?.[1];
  if (found === undefined) throw new Error("Cargo.toml: no version");
  return found;
}

// Pages name the client by one address for ever, so its file has no hash.
export default defineConfig({
  root: here("."),
  publicDir: false,
  define: { VERSION: JSON.stringify(version()) },
  build: {
    outDir: here("../dist"),
    // The Web app has been built into it before.
    emptyOutDir: false,
    target: "es2019",
    reportCompressedSize: false,
    lib: { entry: here("client.ts"), formats: ["iife"], name: "mayday", fileName: () => "client.js" },
  },
  plugins: [precompress()],
});
