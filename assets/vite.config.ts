import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { precompress } from "./build/precompress.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// `npm run dev` needs a server to talk to: MAYDAY_URL names one that runs elsewhere.
const server = process.env["MAYDAY_URL"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  root: here("./app"),
  build: {
    outDir: here("./dist"),
    emptyOutDir: true,
    // The content security policy allows no data: fonts and no inline scripts, so nothing is
    // inlined and the polyfill for module preloading (an inline-able helper) stays out.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Sizes are printed by the compressor of ours instead.
    reportCompressedSize: false,
  },
  plugins: [precompress()],
  server: {
    proxy: Object.fromEntries(
      ["/api", "/auth", "/meta", "/health"].map((path) => [path, { target: server }]),
    ),
  },
  test: {
    environment: "node",
    root: here("."),
    include: ["app/**/*.test.ts", "build/**/*.test.ts"],
  },
});
