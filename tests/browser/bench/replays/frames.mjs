// When the player shows its first frame, of a short and of a long replay; and what a minute of replay occupies.

import { sendLong } from "../../long-replay.mjs";
import { newContext } from "../../web.mjs";

/** Runs in every page before anything else: notes when the recorded page has something to show. */
function watch() {
  const look = () => {
    const outer = document.querySelector('iframe[title="The recorded page"]')?.contentDocument;
    const clock = outer?.querySelector("iframe")?.contentDocument?.querySelector("h1");
    if (clock?.textContent) requestAnimationFrame(() => setTimeout(() => (globalThis.firstFrame = performance.now())));
    else requestAnimationFrame(look);
  };
  look();
}

/** Milliseconds from the start of the navigation, in a browser that has the app in its cache. */
async function firstFrame(page, address) {
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.firstFrame !== undefined, undefined, { timeout: 60_000, polling: 50 });
  return page.evaluate(() => globalThis.firstFrame);
}

/** The same for a page of plain text from the same server. */
async function plain(page, address) {
  await page.goto(address, { waitUntil: "load" });
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now())))));
}

export async function frames({ server, rounds, said }) {
  const project = await server.project("bench frames");
  const { replay: short } = await sendLong(server, project, 1);
  const { replay: long, bytes } = await sendLong(server, project, 60);
  const figures = { short: [], long: [], reference: [], stored: long.bytes / 60, json: bytes / 60 };
  const context = await newContext(server);
  try {
    await context.addInitScript(watch);
    const page = await context.newPage();
    const address = ({ replay_id }) => `${server.origin}/projects/${project.id}/replays/${replay_id}`;
    await firstFrame(page, address(short));
    for (let round = 0; round < rounds; round += 1) {
      said(`first frames, round ${round + 1} of ${rounds}`);
      figures.short.push(await firstFrame(page, address(short)));
      figures.long.push(await firstFrame(page, address(long)));
      figures.reference.push(await plain(page, `${server.origin}/NOTICE.txt`));
    }
  } finally {
    await context.close();
  }
  return figures;
}
