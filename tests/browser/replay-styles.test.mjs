// Style sheets of another origin, which a page may not read: the player has them from the upload of the release.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { binary } from "./programs.mjs";
import { goTo, recording, replaysOf, shown, site, visit, withClient } from "./recorded.mjs";
import { sharedServer } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { eventually, onPage } from "./web.mjs";

const colour = "rgb(12, 34, 56)";
const css = `h1 { color: ${colour} }`;
/** What the browser says of Playwright itself, as it looks into a frame without scripts whose document is new. */
const looking = /^Blocked script execution/;

let server;
let shop;
let cdn;
let dist;

before(async () => {
  server = await sharedServer();
  shop = await site(server);
  cdn = await styles();
  dist = build();
});
after(async () => {
  await shop?.close();
  await cdn?.close();
  if (dist) rmSync(dist, { recursive: true });
});

/** Another origin with a style sheet, which lets no page of others read it. */
async function styles() {
  const requests = [];
  const http = createServer(({ url }, response) => {
    requests.push(url);
    response.writeHead(url.startsWith("/assets/shop.css") ? 200 : 404, { "Content-Type": "text/css" });
    response.end(css);
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${http.address().port}`,
    requests,
    close: () => new Promise((done) => http.close(done) && http.closeAllConnections()),
  };
}

/** The build that the style sheet is of. */
function build() {
  const dir = mkdtempSync(join(tmpdir(), "mayday-styles-"));
  mkdirSync(join(dir, "assets"));
  const map = { version: 3, sources: ["shop.ts"], sourcesContent: ["shop();"], names: [], mappings: "AAAA" };
  writeFileSync(join(dir, "assets", "shop.js"), "shop();\n//# sourceMappingURL=shop.js.map\n");
  writeFileSync(join(dir, "assets", "shop.js.map"), JSON.stringify(map));
  writeFileSync(join(dir, "assets", "shop.css"), css);
  return dir;
}

/** Records a page that is drawn with that style sheet. */
async function recorded(project) {
  const body = `<link rel="stylesheet" nonce="page" href="${cdn.origin}/assets/shop.css?v=1"><h1>Checkout</h1>`;
  shop.pages["/styled"] = withClient(server, project, 'data-replay="always"', body);
  const act = async (page) => {
    await recording(page);
    await page.waitForFunction((wanted) => getComputedStyle(document.querySelector("h1")).color === wanted, colour);
    await page.evaluate(() => window.mayday.stopReplay());
    await page.evaluate(() => window.mayday.flush());
  };
  let replay;
  const arrives = async () => {
    [replay] = await replaysOf(server, project, 1, ({ is_complete }) => is_complete);
  };
  await visit(`${shop.origin}/styled`, act, { arrives });
  return replay;
}

test("a replay is drawn with the style sheets that were uploaded with its release", async () => {
  const project = await server.project("styles");
  const replay = await recorded(project);
  const visited = cdn.requests.length;
  const note = (page) => page.getByText(/^1 style sheet of other origins is missing/);
  const watch = (act) =>
    onPage(server, `/projects/${project.id}/replays/${replay.replay_id}`, { allow: [looking] }, async (page) => {
      await goTo(page, 3_600);
      const frame = await shown(page);
      const seen = () => frame.locator("h1").evaluate((each) => getComputedStyle(each).color);
      await act(page, seen);
    });

  await watch(async (page, seen) => {
    await note(page).waitFor();
    await eventually(seen, "rgb(0, 0, 0)", "without the style sheet");
  });
  const env = { ...process.env, MAYDAY_URL: server.origin, MAYDAY_KEY: project.key };
  const upload = ["sourcemaps", "upload", "--release", "1.4.2", dist];
  const { stdout } = await promisify(execFile)(binary, upload, { env });
  assert.match(stdout, /1 style sheet → ~\/assets\/shop\.css/);
  await watch(async (page, seen) => {
    await eventually(seen, colour, "with the style sheet");
    assert.equal(await note(page).count(), 0);
  });
  assert.equal(cdn.requests.length, visited, "nothing is fetched from where the page had it");
});
