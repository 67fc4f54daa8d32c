import { defineConfig } from "@playwright/test";

const pages = /@pages|\.pages\.test\.mjs/;
const night = /@night|\.(night|looks)\.test\.mjs/;
// The longest of the others: `make test-long` has them.
const more =
  /\b(automation|inbox-reading|issue[\w-]*|logs|mail|mcp-python|notifications|releases|replay(-axis|-busy|-controls|-gaps|-network)?)\.test\.mjs/;
// Those of pages and night that mostly wait, for a recording or for Firefox: `make test-browser-others` has them.
const waiting = /\b(client-firefox\.pages|replay-length\.night)\.test\.mjs|\breplay-network\.test\.mjs .*@pages/;
// Pages that take whole processors to record or to show: `make test-browser-alone` has them, one after the other.
const alone = /\b(replay-heavy\.pages|replay-hour\.night)\.test\.mjs/;
const chosen = () => {
  if (process.env.MAYDAY_SOAK) return {};
  if (process.env.MAYDAY_ALONE) return { grep: alone };
  if (process.env.MAYDAY_NIGHT) return { grep: night };
  if (process.env.MAYDAY_PAGES) return { grep: pages, grepInvert: night };
  if (process.env.MAYDAY_OTHERS) return { grep: waiting };
  const others = new RegExp(`${pages.source}|${night.source}`);
  if (process.env.MAYDAY_MORE) return { grep: more, grepInvert: others };
  // Named on the command line, a file is run wherever it belongs.
  const isChosen = process.argv.slice(2).some((word) => !word.startsWith("-") && word !== "test");
  return { grepInvert: isChosen ? others : new RegExp(`${others.source}|${more.source}`) };
};

const MINUTE = 60_000;
const limits = () => {
  if (process.env.MAYDAY_SOAK) return { timeout: 10 * MINUTE };
  if (process.env.MAYDAY_NIGHT || process.env.MAYDAY_PAGES) return { timeout: 4 * MINUTE, globalTimeout: 40 * MINUTE };
  if (process.env.MAYDAY_OTHERS || process.env.MAYDAY_ALONE) return { timeout: 4 * MINUTE, globalTimeout: 9 * MINUTE };
  return { timeout: 2 * MINUTE, globalTimeout: 12 * MINUTE };
};

export default defineConfig({
  testMatch: "*.test.mjs",
  outputDir: "output/results",
  // A file's tests share a server and come in their order; files share nothing.
  // One more than there are processors: tests also wait.
  workers: process.env.MAYDAY_ALONE ? 1 : 3,
  fullyParallel: false,
  // A test waits for what it needs and fails there; these only end one that hangs, and all of them.
  ...limits(),
  // A machine of the continuous integration stalls now and then; the report names the test that needed it.
  retries: process.env.CI === "true" ? 1 : 0,
  // By its tag or its file's name, a test of most pages is run by `make test-pages`; what takes longest, and every
  // state in every look, by `make test-night`. Some of both are run for every change, by `make test-browser-others`
  // and `make test-browser-alone`.
  ...chosen(),
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["./hanging.mjs"]],
});
