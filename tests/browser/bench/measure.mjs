// Times are taken inside the page: from the start of the navigation, or from the moment of the browser's own input
// event, to the frame behind the one in which the page had what it was waited for.

import { setTimeout as pause } from "node:timers/promises";
import { newContext } from "../web.mjs";
import { collectTraffic } from "./traffic.mjs";

const slowly = { cpu: 4, latency: 40, bitsPerSecond: 10_000_000 };
/** How long the network is silent once everything is there, in milliseconds. */
const silence = 1_500;
/** How long a pointer rests on a row before it is pressed, in milliseconds; people take longer. */
const rest = 100;
/** An issue of one event has no older one. */
const patience = 3_000;
/** How long a button stays down, in milliseconds. */
const press = 80;
const words = ["cart", "checkout", "payment", "delivery", "login", "search", "catalogue", "account", "RangeError", "TypeError"];

/** Runs in every page before anything else. */
function install() {
  const afterPaint = (done) => requestAnimationFrame(() => setTimeout(done));
  const when = (holds) =>
    new Promise((done) => {
      const look = () => {
        if (!holds()) return false;
        watcher.disconnect();
        afterPaint(() => done(performance.now()));
        return true;
      };
      const watcher = new MutationObserver(look);
      watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      look();
    });
  const ids = () => [...document.querySelectorAll("[data-issue]")].map((row) => row.dataset.issue).join();
  const steps = () => [...document.querySelectorAll('a[href*="event="]')].map((link) => link.getAttribute("href")).join();
  /** The title of the issue that is shown, with its short id: neighbours may have the same title. */
  const title = () => {
    const parts = [".mono", "p"].map((part) => document.querySelector(`main header ${part}`)?.textContent ?? "");
    return parts.includes("") ? "" : parts.join(" ");
  };
  /** Milliseconds from the next input of a kind until what is looked for is painted. */
  const since = (kind, makeTest) =>
    new Promise((done) => {
      const holds = makeTest();
      addEventListener(kind, ({ timeStamp }) => void when(holds).then((end) => done(end - timeStamp)), { capture: true, once: true });
    });
  const stack = () => document.querySelector("main section[aria-label] ol li, main section[aria-label] pre") !== null;
  const differs = (read) => () => {
    const before = read();
    return () => read() !== before && read() !== "";
  };
  globalThis.bench = {
    rows: when(() => document.querySelector("[data-issue]") !== null),
    issue: () => since("click", () => stack),
    next: () => since("keydown", differs(title)),
    older: () => since("keydown", differs(steps)),
    search: () => since("keydown", differs(ids)),
    /** Always the same work: boxes made, laid out and painted, and numbers added up. */
    work: async () => {
      const begin = performance.now();
      const box = document.body.appendChild(document.createElement("div"));
      for (let at = 0; at < 1_500; at += 1) {
        const line = box.appendChild(document.createElement("p"));
        line.textContent = `line ${at} of the work that never changes`;
        line.style.paddingLeft = `${at % 40}px`;
      }
      let sum = box.getBoundingClientRect().height;
      for (let at = 0; at < 4_000_000; at += 1) sum = (sum * 31 + at) % 1_000_003;
      box.title = String(sum);
      await new Promise(afterPaint);
      const took = performance.now() - begin;
      box.remove();
      return took;
    },
  };
}

async function openEmpty(server, slow) {
  // With an empty cache, and a process of its own.
  const context = await newContext(server);
  await context.addInitScript(install);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  if (slow) {
    const throughput = slow.bitsPerSecond / 8;
    await session.send("Emulation.setCPUThrottlingRate", { rate: slow.cpu });
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: slow.latency,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  }
  return { context, page, session };
}

/** The list in a browser that has nothing yet. */
async function firstLoad({ server, project }, slow) {
  const { context, page, session } = await openEmpty(server, slow);
  try {
    const traffic = collectTraffic(session);
    await page.goto(`${server.origin}/projects/${project.id}/issues`, { waitUntil: "commit" });
    const rows = await page.evaluate(() => globalThis.bench.rows);
    await traffic.silent(silence);
    return { rows, ...traffic.sums() };
  } finally {
    await context.close();
  }
}

/** What the first load is compared with: a page of plain text from the same server, and the fixed work in it. */
async function plainLoad({ server }, slow) {
  const { context, page } = await openEmpty(server, slow);
  try {
    await page.goto(`${server.origin}/NOTICE.txt`);
    return await page.evaluate(async () => {
      await globalThis.bench.work();
      return performance.now();
    });
  } finally {
    await context.close();
  }
}

async function loads(bench, slow) {
  const found = { rows: [], reference: [], bytes: [], requests: [], kinds: {} };
  for (let run = 0; run < bench.runs; run += 1) {
    const load = await firstLoad(bench, slow);
    for (const name of ["rows", "bytes", "requests"]) found[name].push(load[name]);
    found.kinds = load.kinds;
    found.reference.push(await plainLoad(bench, slow));
    bench.said(`${slow ? "slow " : ""}first load ${run + 1}: ${Math.round(load.rows)} ms, ${load.bytes} bytes in ${load.requests} requests`);
  }
  return found;
}

/** Issues, older events, next issues and searches in a page that is open. */
async function clicks({ server, project, runs, said }) {
  const { context, page } = await openEmpty(server);
  const found = { issue: [], older: [], next: [], search: [], reference: [] };
  const run = (name) => page.evaluate((which) => void (globalThis.pending = globalThis.bench[which]()), name);
  const ended = () => page.evaluate(() => globalThis.pending);
  try {
    await page.goto(`${server.origin}/projects/${project.id}/issues`);
    await page.evaluate(() => globalThis.bench.rows);
    await pause(silence);
    for (let at = 0; at < runs; at += 1) {
      const link = page.locator("[data-issue] a").nth(at);
      await link.hover();
      await pause(rest);
      await run("issue");
      await link.click({ delay: press });
      found.issue.push(await ended());
      await pause(silence);
      await run("older");
      await page.keyboard.press("[");
      found.older.push(await Promise.race([ended(), pause(patience)]));
      await pause(silence / 2);
      // It takes the place of the one before in the history, so the list is still one step back.
      await run("next");
      await page.keyboard.press("j");
      found.next.push(await ended());
      await pause(silence / 2);
      await page.goBack();
      await page.locator("[data-issue]").nth(at).waitFor();
      await pause(silence / 2);
      found.reference.push(await page.evaluate(() => globalThis.bench.work()));
    }
    for (let at = 0; at < runs; at += 1) {
      const box = page.getByLabel("Search issues");
      await box.fill("");
      await box.pressSequentially(words[at % words.length], { delay: 60 });
      await pause(rest);
      await run("search");
      await page.keyboard.press("Enter");
      found.search.push(await ended());
      await pause(silence / 2);
      found.reference.push(await page.evaluate(() => globalThis.bench.work()));
    }
    found.older = found.older.filter((took) => took !== undefined);
    said(`clicks: ${JSON.stringify(Object.fromEntries(Object.entries(found).map(([name, times]) => [name, times.map(Math.round)])))}`);
    return found;
  } finally {
    await context.close();
  }
}

/** @param bench `{server, project, runs, said}` */
export async function measure(bench) {
  // The first page of a browser pays for much that is not the app's.
  await plainLoad(bench);
  await firstLoad(bench);
  const first = await loads(bench);
  const slow = await loads(bench, slowly);
  return { first, slow, clicks: await clicks(bench) };
}
