import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { precompress } from "../build/precompress.ts";
import { version } from "./version.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

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
    lib: { entry: here("script.ts"), formats: ["iife"], name: "mayday", fileName: () => "client.js" },
  },
  plugins: [precompress()],
});
