import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { fonts } from "./build/fonts.ts";
import { hanging } from "./build/hanging.ts";
import { modulesOf } from "./build/modules-of.ts";
import { precompress } from "./build/precompress.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// `npm run dev` needs a server to talk to: MAYDAY_URL names one that runs elsewhere.
const server = process.env.MAYDAY_URL ?? "http://127.0.0.1:8000";

export default defineConfig(async ({ command }) => {
  const isBuild = command === "build";
  // What a person waits for, and what is fetched once they do something.
  const first = isBuild ? await modulesOf("main.tsx", "pages/issues/IssuesPage.tsx") : new Set();
  const later = isBuild
    ? await modulesOf(
        "pages/issues/ChangeMenus.tsx",
        "pages/issues/SearchBox.tsx",
        "pages/issues/ViewsMenu.tsx",
        "shell/BellMenu.tsx",
        "shell/Palette.tsx",
        "shell/PersonMenu.tsx",
        "shell/SwitcherMenu.tsx",
        "ui/Tips.tsx",
        "shell/SignInAgain.tsx",
        "shell/Help.tsx",
        "shell/MenuDrawer.tsx",
        "ui/Messages.tsx",
      )
    : new Set();
  return {
    root: here("./app"),
    // The server puts a fresh nonce in the place of this with each response.
    html: isBuild ? { cspNonce: "__CSP_NONCE__" } : {},
    build: {
      outDir: here("./dist"),
      emptyOutDir: true,
      target: "es2022",
      // The content security policy allows no data: fonts and no inline scripts, so nothing is
      // inlined and the polyfill for module preloading (an inline-able helper) stays out.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Names which file is loaded first and which on demand; the test of the budget reads it.
      manifest: true,
      // Of everything that is baked in; the typefaces are in NOTICE.txt.
      license: { fileName: "licenses.md" },
      // What the list of issues needs is one file, which every page begins with, and what comes right after it another.
      // What several other pages share is one file, not one for each set of pages that share it: a browser fetches,
      // checks and compiles each by itself, and what stands in one file compresses better. What one page alone has stays
      // with that page.
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: "first", test: (id: string) => first.has(id), priority: 2 },
              { name: "later", test: (id: string) => later.has(id), priority: 1 },
              {
                name: "shared",
                test: /node_modules|\/app\/(api|errors|first-steps|hooks|issue-search|pages|shell|sign-in|theme|ui)\//,
                minShareCount: 3,
              },
              // Shared by fewer, and too small for files of their own.
              { name: "shared", test: /\/app\/ui\/(Level|Standing)/, minShareCount: 2 },
            ],
          },
        },
      },
      // Sizes are printed by the compressor of ours instead.
      reportCompressedSize: false,
    },
    plugins: [react(), fonts(), precompress()],
    server: {
      // Not `/api` alone: the app's own modules of that name are served from there.
      proxy: Object.fromEntries(
        ["^/api/v1/", "^/api/openapi.json$", "^/auth/", "^/meta$", "^/health$", "^/client(?:-replay)?.js$"].map(
          (path) => [path, { target: server }],
        ),
      ),
    },
    test: {
      environment: "node",
      // No test leaves anything behind that another would see, so the files share what they import.
      isolate: false,
      // Only ends what hangs: how long a test takes is the machine's affair.
      testTimeout: 120_000,
      reporters: ["default", hanging(240_000)],
      root: here("."),
      // What every browser of today has, and Node only from version 21 on.
      execArgv: "rawJSON" in JSON ? [] : ["--harmony-json-parse-with-source"],
      include: ["app/**/*.test.{ts,tsx}", "build/**/*.test.ts", "client/**/*.test.ts"],
    },
  };
});
