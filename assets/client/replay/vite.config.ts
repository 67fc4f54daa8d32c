import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { precompress } from "../../build/precompress.ts";
import { metered } from "./metered.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// A module that `client.js` imports from the same directory.
export default defineConfig({
  root: here("."),
  publicDir: false,
  build: {
    outDir: here("../../dist"),
    emptyOutDir: false,
    target: "es2020",
    reportCompressedSize: false,
    license: { fileName: "client-licenses.md" },
    lib: { entry: here("index.ts"), formats: ["es"], fileName: () => "client-replay.js" },
  },
  plugins: [metered(), precompress()],
});
