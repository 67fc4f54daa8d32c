// A page of another origin that is recorded, and what of it the player shows.

import { createServer } from "node:http";
import { sharedBrowser } from "./chromium.mjs";
import { until } from "./server.mjs";

/** A site whose pages, by path, are what `pages` says: markup, put into a page with a strict policy. */
export async function site(server) {
  const pages = {};
  const requests = [];
  const policy = `default-src 'none'; script-src ${server.origin} 'nonce-page'; style-src 'nonce-page'; img-src 'self' data:; connect-src ${server.origin} 'self'; require-trusted-types-for 'script'`;
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    requests.push(request.url);
    const page = pages[pathname];
    response.writeHead(page === undefined ? 404 : 200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy });
    response.end(page);
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${http.address().port}`,
    pages,
    requests,
    close: () => new Promise((done) => http.close(done) && http.closeAllConnections()),
  };
}

/** A page with the client, which records as the attributes say. */
export const withClient = (server, project, more, body) =>
  `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
  <script src="${server.origin}/client.js" data-key="${project.key}" data-release="1.4.2" ${more} crossorigin async></script>
  <body>${body}</body></html>`;

/**
 * Opens a page of the site, hands it over, and leaves it as a person does. What a page sends as it goes ends with the
 * browser's context, which is closed once `arrives` has seen it. With `time`, the page's clock stands there, until
 * `page.clock` lets it run.
 */
export async function visit(address, act, { leave = true, arrives = () => undefined, time } = {}) {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
  if (time !== undefined) {
    await context.clock.install({ time: time - 60_000 });
    await context.clock.pauseAt(time);
  }
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(`thrown: ${error.message}`));
  try {
    await page.goto(address);
    await page.waitForFunction(() => window.mayday?.startReplay);
    await act(page, { problems, context });
    if (leave) await page.goto("about:blank");
    await arrives();
    return problems;
  } finally {
    await context.close();
  }
}

/** Waits until the recorder runs: its chunk is loaded after the client. */
export const recording = (page) => page.waitForFunction(() => window.mayday.startReplay().then((started) => !started));

/** The project's replays once there are so many, and each is as `isDone` says. */
export const replaysOf = (server, project, count = 1, isDone = () => true) =>
  until(`${count} replays`, async () => {
    const { replays } = await server.request(`/api/v1/projects/${project.id}/replays`);
    return replays.length >= count && replays.every(isDone) ? replays : undefined;
  });

export const eventsOf = (server, project, replay) =>
  server.request(`/api/v1/replays/${replay.replay_id}/events?project_id=${project.id}`);

/** Sends events as a client does, in one piece; answers with the replay. */
export async function send(server, project, events, more = {}) {
  const times = events.map(({ timestamp }) => timestamp);
  const body = {
    api_key: project.key,
    session_id: "s".repeat(32),
    window_id: Math.random().toString(16).slice(2).padEnd(32, "0"),
    start_timestamp: Math.min(...times),
    end_timestamp: Math.max(...times),
    has_full_snapshot: true,
    events,
    ...more,
  };
  const { replay_id: id } = await server.post("/api/v1/replays", body, { token: null, expect: 202 });
  return until(`replay ${id} can be read`, async () => {
    const { status, body: replay } = await server.raw(`/api/v1/replays/${id}?project_id=${project.id}`);
    return status === 200 ? replay : undefined;
  });
}

/** The recorded page in the player: the frame within the player's own document. */
export async function shown(page) {
  const outer = page.frameLocator('iframe[title="The recorded page"]');
  const inner = outer.frameLocator("iframe");
  await inner.locator("body").waitFor({ state: "attached" });
  return inner;
}

/** Goes to a second of the replay with the keyboard's help, paused. */
export async function goTo(page, seconds) {
  const slider = page.getByRole("slider", { name: "Time" });
  await page.locator('button[aria-label="Play"]:enabled').waitFor();
  const { x, y, width, height } = await slider.boundingBox();
  const whole = Number(await slider.getAttribute("aria-valuemax"));
  await page.mouse.click(x + Math.min(width - 1, (width * seconds) / Math.max(1, whole)), y + height / 2);
}

/** A minute of a page that grows by a line a second, with things to mark, and a long pause. */
export function story(start = Date.now() - 120_000) {
  const text = (id, textContent) => ({ type: 3, id, textContent });
  const element = (id, tagName, attributes = {}, ...childNodes) => ({ type: 2, id, tagName, attributes, childNodes });
  const html = element(3, "html", {}, element(4, "head"), element(5, "body", {}, element(6, "p", {}, text(7, "line 0"))));
  const node = { type: 0, id: 1, childNodes: [{ type: 1, id: 2, name: "html", publicId: "", systemId: "" }, html] };
  const events = [
    { type: 4, timestamp: start, data: { href: "https://shop.example/", width: 800, height: 600 } },
    { type: 2, timestamp: start + 1, data: { node, initialOffset: { left: 0, top: 0 } } },
  ];
  for (let second = 1; second <= 60; second += 1) {
    const timestamp = start + second * 1_000;
    const id = 10 + 2 * second;
    const added = { parentId: 5, nextId: null, node: element(id, "p", {}) };
    const words = { parentId: id, nextId: null, node: text(id + 1, `line ${second}`) };
    events.push({ type: 3, timestamp, data: { source: 0, texts: [], attributes: [], removes: [], adds: [added, words] } });
    if (second < 15 || second > 35) {
      events.push({ type: 3, timestamp: timestamp + 10, data: { source: 2, type: 2, id: 6, x: 10 * second, y: 20 } });
    }
  }
  return events;
}
