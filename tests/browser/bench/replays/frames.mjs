// When the player shows its first frame, of a short and of a long replay and of a moment late in that; for how long it
// stops its page while somebody goes to and fro; and what a minute of replay occupies.

import { watchFrames } from "../../frames.mjs";
import { sendLong } from "../../long-replay.mjs";
import { newContext } from "../../web.mjs";

/** A moment late in an hour, in seconds, and long after the picture of the page before it (one every five minutes). */
const late = 3_290.5;
/** Where somebody goes, in shares of the replay: on, back, to what is near and to what is far. */
const places = [0.99, 0.02, 0.75, 0.74, 0.5];

/** Runs in every page before anything else: notes when the recorded page shows something, or the moment of the address. */
function watch() {
  const moment = new URLSearchParams(location.search).get("t");
  const isShown = (text) => (moment === null ? text : text === `second ${Math.floor(moment)}`);
  const look = () => {
    const outer = document.querySelector('iframe[title="The recorded page"]')?.contentDocument;
    const clock = outer?.querySelector("iframe")?.contentDocument?.querySelector("h1");
    if (isShown(clock?.textContent)) requestAnimationFrame(() => setTimeout(() => (globalThis.firstFrame = performance.now())));
    else requestAnimationFrame(look);
  };
  look();
}

const patience = { timeout: 60_000, polling: 50 };

/** Milliseconds from the start of the navigation, in a browser that has the app in its cache. */
async function firstFrame(page, address) {
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.firstFrame !== undefined, undefined, patience);
  return page.evaluate(() => globalThis.firstFrame);
}

/** Whether all of the recording has been read. Runs in the page. */
const isRead = () => document.querySelector('[role="slider"][aria-label="Time"]:not([aria-busy])') !== null;

/** Whether the slider is at a place, as nearly as a press finds it, and the recorded page at its time. Runs in the page. */
function isThere(place) {
  const slider = document.querySelector('[role="slider"][aria-label="Time"]');
  const [at, whole] = ["aria-valuenow", "aria-valuemax"].map((name) => Number(slider.getAttribute(name)));
  const outer = document.querySelector('iframe[title="The recorded page"]').contentDocument;
  const clock = outer?.querySelector("iframe")?.contentDocument?.querySelector("h1");
  const shown = Number(clock?.textContent.replace("second ", ""));
  return Math.abs(at - place * whole) <= 1 + whole / 200 && Math.abs(shown - at) <= 1;
}

/** The longest time between two frames, in milliseconds, while the rest of a replay is read and somebody goes about in it. */
async function longestStop(page) {
  await page.evaluate(watchFrames);
  await page.waitForFunction(isRead, undefined, patience);
  const { x, y, width, height } = await page.getByRole("slider", { name: "Time", exact: true }).boundingBox();
  for (const place of places) {
    await page.mouse.click(x + width * place, y + height / 2);
    await page.waitForFunction(isThere, place, patience);
  }
  return page.evaluate(() => globalThis.longest);
}

/** The same as the first frame, for a page of plain text from the same server. */
async function plain(page, address) {
  await page.goto(address, { waitUntil: "load" });
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now())))));
}

export async function frames({ server, rounds, said }) {
  const project = await server.project("bench frames");
  const { replay: short } = await sendLong(server, project, 1);
  const { replay: long, bytes } = await sendLong(server, project, 60);
  const stops = { short: [], long: [] };
  const figures = { short: [], long: [], late: [], reference: [], stops, stored: long.bytes / 60, json: bytes / 60 };
  const context = await newContext(server);
  try {
    await context.addInitScript(watch);
    const page = await context.newPage();
    const address = ({ replay_id }) => `${server.origin}/projects/${project.id}/replays/${replay_id}`;
    await firstFrame(page, address(short));
    for (let round = 0; round < rounds; round += 1) {
      said(`first frames, round ${round + 1} of ${rounds}`);
      figures.short.push(await firstFrame(page, address(short)));
      stops.short.push(await longestStop(page));
      figures.long.push(await firstFrame(page, address(long)));
      stops.long.push(await longestStop(page));
      figures.late.push(await firstFrame(page, `${address(long)}?t=${late}`));
      figures.reference.push(await plain(page, `${server.origin}/NOTICE.txt`));
    }
  } finally {
    await context.close();
  }
  return figures;
}
