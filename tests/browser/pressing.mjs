// A person at the shop, in a real browser, who runs into one of its errors.

import assert from "node:assert/strict";
import { serveFolder } from "./chromium.mjs";

/**
 * Opens a build of the shop from a host of its own, presses the button that throws, and returns
 * what the page sent: `{eventId, stack, outcome}`, with the page's origin. The report goes to
 * the project's server by the transport named, across origins.
 */
export async function pressInChromium(browser, build, project, { version, button, transport = "fetch" }) {
  const host = await serveFolder(build.folder);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const address = new URL(host.origin);
    address.search = new URLSearchParams({
      endpoint: `${project.server.origin}/api/v1/errors`,
      key: project.key,
      release: version,
      transport,
    });
    await page.goto(address.href);
    await page.click('[data-sku="TEA-01"]');
    await page.waitForFunction(() => document.querySelector("#cart")?.textContent?.startsWith("1 line"));
    // The browser sends a beacon when it likes, and with the context it would be gone.
    const gone = transport === "beacon" && page.waitForEvent("requestfinished", (one) => one.url().includes("/api/v1/errors"));
    await page.click(button);
    await page.waitForFunction(() => window.reports.length > 0 && window.reports[0].outcome !== undefined);
    const reports = await page.evaluate(() => window.reports);
    await gone;
    assert.equal(reports.length, 1, "one press, one error");
    assert.notEqual(host.origin, project.server.origin);
    return { ...reports[0], origin: host.origin };
  } finally {
    await context.close();
    await host.close();
  }
}
