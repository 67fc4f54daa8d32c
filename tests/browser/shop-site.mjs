// The fixture application as its own site, with the client in its page.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { Build } from "./shop.mjs";

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css" };

/** Serves a build of the shop. `head` comes first in its page, `posts` takes what is posted to other paths. */
export async function shopSite(name, head, posts = () => undefined) {
  const build = new Build(name);
  const http = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://shop").pathname);
    if (request.method === "POST") {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => response.end(posts(path, body)));
      return;
    }
    const file = path === "/" ? "/index.html" : path;
    try {
      const content = readFileSync(join(build.folder, file));
      response.setHeader("Content-Type", types[extname(file)] ?? "application/octet-stream");
      response.end(file === "/index.html" ? content.toString().replace("<head>", () => `<head>${head}`) : content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${http.address().port}`,
    build,
    close: () => new Promise((done) => http.close(done) && http.closeAllConnections()),
  };
}
