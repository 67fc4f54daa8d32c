import { defineConfig } from "@playwright/test";

const long = /@long|\.long\.test\.mjs/;
const night = /@night|\.(night|looks)\.test\.mjs/;
const chosen = () => {
  if (process.env.MAYDAY_SOAK) return {};
  if (process.env.MAYDAY_NIGHT) return { grep: night };
  if (process.env.MAYDAY_LONG) return { grep: long, grepInvert: night };
  return { grepInvert: new RegExp(`${long.source}|${night.source}`) };
};

export default defineConfig({
  testMatch: "*.test.mjs",
  outputDir: "output/results",
  // A file's tests share a server and come in their order; files share nothing.
  // One more than there are processors: tests also wait.
  workers: 3,
  fullyParallel: false,
  // A test waits for what it needs and fails there; this only ends one that hangs.
  timeout: process.env.MAYDAY_SOAK ? 600_000 : 480_000,
  // What takes long, by its tag or its file's name, is run by `make test-pages`; what takes longest, and every
  // state in every look, by `make test-night`.
  ...chosen(),
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"]],
});
