import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { precompress } from "../build/precompress.ts";
import { version } from "./version.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Pages load the client from a fixed address, so its file name has no hash.
export default defineConfig({
  root: here("."),
  publicDir: false,
  define: { VERSION: JSON.stringify(version()) },
  build: {
    outDir: here("../dist"),
    // The directory already contains the Web app.
    emptyOutDir: false,
    target: "es2019",
    reportCompressedSize: false,
    lib: { entry: here("script.ts"), formats: ["iife"], name: "mayday", fileName: () => "client.js" },
  },
  plugins: [precompress()],
});
