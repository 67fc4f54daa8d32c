// What the tours share: the claim link as the server prints it, and an application on its own host.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveFolder } from "./chromium.mjs";
import { newContext } from "./web.mjs";

/** The link that whoever runs the server is given, and the site that it leads to. */
export function claimLink(server) {
  const link = new URL(/^Claim this instance: (\S+)$/m.exec(server.stdout)[1]);
  return { origin: link.origin, path: link.pathname + link.hash };
}

/** A build of the shop with a snippet in its head, served on an origin of its own. */
export async function openShop(server, build, snippet) {
  const folder = mkdtempSync(join(tmpdir(), "mayday-shop-"));
  cpSync(build.folder, folder, { recursive: true });
  const page = join(folder, "index.html");
  writeFileSync(page, readFileSync(page, "utf8").replace("<head>", `<head>\n${snippet}`));
  const host = await serveFolder(folder);
  const context = await newContext(server, { signedIn: false });
  return {
    origin: host.origin,
    /** A visit: puts tea into the cart and pays with what has no rate, which throws. */
    async breakIt() {
      const visit = await context.newPage();
      await visit.goto(host.origin);
      await visit.waitForFunction(() => typeof window.mayday?.captureException === "function");
      await visit.click('[data-sku="TEA-01"]');
      await visit.waitForFunction(() => document.querySelector("#cart")?.textContent?.startsWith("1 line"));
      const sent = visit.waitForResponse((response) => response.url().endsWith("/api/v1/errors"));
      await visit.click("#pay-unknown");
      const status = (await sent).status();
      await visit.close();
      if (status !== 202) throw new Error(`the report was answered with ${status}`);
    },
    async close() {
      await context.close();
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
