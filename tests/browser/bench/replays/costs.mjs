// What recording costs a page, beside the same page without a client and with another recorder: the CPU time of its
// main thread, by what Chromium says of it, over the same work.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { sharedBrowser } from "../../chromium.mjs";
import { execFileSync } from "../../../limited.mjs";
import { inTurn } from "./table.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const peers = join(here, "..", "peers");
const app = join(here, "..", "..", "..", "fixtures", "app");

/** Steps of the work, and milliseconds between two of them. */
const steps = 300;
const pace = 20;

/** What the page does: it grows, changes, is written into and scrolled, and asks its server. Runs in the page. */
async function work({ steps: count, pace: wait }) {
  const list = document.querySelector("#list");
  const field = document.querySelector("#field");
  for (let step = 0; step < count; step += 1) {
    const row = document.createElement("li");
    row.className = `row-${step % 7}`;
    row.innerHTML = `<b>Order ${step}</b> <span>of ${(step * 7_919) % 1_000} pieces</span> <i>in stock</i>`;
    list.append(row);
    if (list.children.length > 200) list.firstElementChild.remove();
    for (let each = 0; each < 5; each += 1) list.children[(step * 13 + each * 17) % list.children.length].lastElementChild.textContent = `changed in ${step}`;
    document.querySelector("h1").style.color = `rgb(${step % 200}, 0, 0)`;
    field.value = `note ${step}`;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    document.body.dispatchEvent(new MouseEvent("mousemove", { bubbles: true, clientX: step % 500, clientY: 100 }));
    if (step % 10 === 0) document.querySelector("#press").click();
    if (step % 25 === 0) console.info(`step ${step}`);
    if (step % 50 === 0) await fetch("/data").then((answer) => answer.text());
    await new Promise((done) => setTimeout(done, wait));
  }
}

const body = `<h1>Orders</h1><input id="field"><button id="press">Press</button><ul id="list"></ul>
  <script>for (let at = 0; at < 200; at += 1) { const row = document.createElement("li"); row.innerHTML = "<b>Row " + at + "</b> <span>of many</span> <i>here</i>"; document.querySelector("#list").append(row); }</script>`;

/** The other recorder as one script; the reason where it cannot be had. */
async function peerScript() {
  try {
    if (!existsSync(join(peers, "node_modules"))) execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], { cwd: peers, stdio: ["ignore", "inherit", "inherit"] });
    const { build } = await import(pathToFileURL(createRequire(join(app, "package.json")).resolve("vite")).href);
    const folder = mkdtempSync(join(tmpdir(), "bench-peer-"));
    try {
      const entry = join(peers, "entry.mjs");
      const lib = { entry, formats: ["iife"], name: "peer", fileName: () => "peer.js" };
      await build({ root: peers, configFile: false, logLevel: "error", build: { outDir: folder, emptyOutDir: true, lib, target: "es2020" } });
      return { script: readFileSync(join(folder, "peer.js"), "utf8") };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch (error) {
    return { without: String(error.message).split("\n")[0] };
  }
}

/** A site with the page in each of its forms; what recorders send to it is thrown away. */
async function site(forms) {
  const http = createServer((request, response) => {
    request.resume();
    const { pathname } = new URL(request.url, "http://site");
    const page = forms[pathname];
    const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
    response.writeHead(200, { ...headers, "Content-Type": page?.type ?? "text/plain" });
    request.on("end", () => response.end(page?.text ?? "{}"));
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${http.address().port}`, close: () => new Promise((done) => http.close(done) && http.closeAllConnections()) };
}

/** Milliseconds of CPU that the page's main thread takes from before it loads until the work is done. */
async function busy(address, ready) {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1_000, height: 700 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    // In the thread's own time: what else the machine does meanwhile does not count.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(address);
    await page.waitForFunction(ready);
    await page.evaluate(work, { steps, pace });
    const { metrics } = await session.send("Performance.getMetrics");
    return 1_000 * metrics.find(({ name }) => name === "TaskDuration").value;
  } finally {
    await context.close();
  }
}

export async function costs({ server, rounds, said }) {
  const project = await server.project("bench costs");
  const { script, without } = await peerScript();
  const html = (head) => ({ type: "text/html", text: `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${head}<body>${body}` });
  const forms = {
    "/none": html(""),
    "/mayday": html(`<script src="${server.origin}/client.js" data-key="${project.key}" data-replay="always" crossorigin async></script>`),
    "/peer.js": { type: "text/javascript", text: script },
  };
  const shop = await site(forms);
  forms["/peer"] = html(`<script>dsn="http://key@${new URL(shop.origin).host}/1"</script><script src="/peer.js"></script>`);
  const figures = { none: [], mayday: { busy: [], bytes: 0 }, ...(script ? { peer: { busy: [], bytes: brotliCompressSync(script).length } } : { without }) };
  try {
    for (const name of ["client.js", "client-replay.js"]) {
      const { text } = await server.raw(`/${name}`, { token: null });
      figures.mayday.bytes += brotliCompressSync(text).length;
    }
    const pages = [
      [figures.none, "/none", () => true],
      [figures.mayday.busy, "/mayday", () => window.mayday?.replay?.().then(({ state }) => state === "recording")],
      ...(script ? [[figures.peer.busy, "/peer", () => window.peerRecords?.()]] : []),
    ];
    for (let round = 0; round < rounds; round += 1) {
      said(`costs of a page, round ${round + 1} of ${rounds}`);
      for (const [taken, path, ready] of inTurn(pages, round)) taken.push(await busy(`${shop.origin}${path}`, ready));
    }
  } finally {
    await shop.close();
  }
  return figures;
}
