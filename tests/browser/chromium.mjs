// Debian's Chromium through Playwright, and a static server to be the application's own host.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { chromium } from "@playwright/test";
import { chromium as executablePath } from "./programs.mjs";

let shared;

/** The one headless browser of this worker. */
export function sharedBrowser() {
  return (shared ??= launch());
}

export async function closeBrowser() {
  const browser = await shared;
  shared = undefined;
  await browser?.close();
}

/** Starts a headless browser that makes no connections of its own. */
function launch() {
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      // Pages of one server share a process, which has the app's scripts compiled already.
      "--process-per-site",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css" };

/** Serves a folder's pages and scripts, never its maps, on an origin of its own. */
export async function serveFolder(folder) {
  const server = createServer((request, response) => {
    void answer(folder, new URL(request.url, "http://host").pathname, response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

async function answer(folder, pathname, response) {
  const path = join(folder, normalize(pathname === "/" ? "/index.html" : pathname));
  const type = types[extname(path)];
  const found = type && (await stat(path).catch(() => undefined));
  if (!found?.isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "Content-Type": type, "Content-Length": found.size });
  createReadStream(path).pipe(response);
}
