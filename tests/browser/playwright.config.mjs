import { defineConfig } from "@playwright/test";

const long = /@long|\.long\.test\.mjs/;

export default defineConfig({
  testMatch: "*.test.mjs",
  outputDir: "output/results",
  // A file's tests share a server and come in their order; files share nothing.
  // One more than there are processors: tests also wait.
  workers: 3,
  fullyParallel: false,
  // A test waits for what it needs and fails there; this only ends one that hangs.
  timeout: process.env.MAYDAY_SOAK ? 600_000 : 240_000,
  // What takes long, by its tag or its file's name, is run by itself: `make test-long`.
  ...(process.env.MAYDAY_LONG && { grep: long }),
  ...(!process.env.MAYDAY_LONG && !process.env.MAYDAY_SOAK && { grepInvert: long }),
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"]],
});
