// The tests of a file, as Playwright runs them. A worker keeps one browser, and one server for the files
// that need nothing special of theirs; both end with it.

import { test as base } from "@playwright/test";
import { closeBrowser } from "./chromium.mjs";
import { serversRunning, stopShared } from "./server.mjs";

export const test = base.extend({
  worker: [
    // Playwright reads from the braces which fixtures this one needs: none.
    async ({}, use) => {
      await use();
      await closeBrowser();
      await stopShared();
    },
    { scope: "worker", auto: true },
  ],
  /** What the servers wrote during a test that failed. */
  outputOfServers: [
    async ({}, use, info) => {
      const before = new Map(serversRunning().map((server) => [server, server.output.length]));
      await use();
      if (info.status === info.expectedStatus) return;
      for (const server of serversRunning()) server.showOutput(before.get(server) ?? 0);
    },
    { auto: true },
  ],
});

export const before = test.beforeAll;
export const after = test.afterAll;
