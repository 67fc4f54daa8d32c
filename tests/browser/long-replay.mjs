// Replays of any length, made without a browser: the same seconds show the same things each time.

import { until } from "./server.mjs";

/** Rows of the page that is recorded, and ids of its nodes. */
const rows = 200;
const ids = { html: 3, head: 4, body: 5, clock: 6, clockText: 7, list: 8, row: 1_000 };
/** Seconds between two pictures of the whole page, and of a part. */
const pictureEvery = 300;
const partOf = 10;

const text = (id, textContent) => ({ type: 3, id, textContent });
const element = (id, tagName, attributes = {}, ...childNodes) => ({ type: 2, id, tagName, attributes, childNodes });
const idOf = (row) => ids.row + 2 * row;
const rowOf = (row) => element(idOf(row), "li", { class: `row-${row % 7}` }, text(idOf(row) + 1, wordsOf(row)));

/** What a row says. */
export const wordsOf = (row) => `Order ${row} of ${(row * 7_919) % 1_000} pieces, ${"in stock ".repeat(1 + (row % 3))}`.trim();

/** What the page says at a second. */
export const clockAt = (second) => `second ${second}`;

/** The number of the newest row at a second; one is added every five. */
export const newestAt = (second) => rows - 1 + Math.floor(second / 5);

function picture(second) {
  const newest = newestAt(second);
  const list = Array.from({ length: rows }, (_, index) => rowOf(newest - rows + 1 + index));
  const style = element(9, "style", {}, { type: 3, id: 10, textContent: "li { padding: 2px } .row-3 { color: rgb(200, 0, 0) }", isStyle: true });
  const body = element(ids.body, "body", {}, element(ids.clock, "h1", {}, text(ids.clockText, clockAt(second))), element(ids.list, "ul", {}, ...list));
  const html = element(ids.html, "html", { lang: "en" }, element(ids.head, "head", {}, style), body);
  return { type: 0, id: 1, childNodes: [{ type: 1, id: 2, name: "html", publicId: "", systemId: "" }, html] };
}

const mutation = (timestamp, more) => ({ type: 3, timestamp, data: { source: 0, texts: [], attributes: [], removes: [], adds: [], ...more } });
const custom = (timestamp, tag, payload) => ({ type: 5, timestamp, data: { tag: `mayday.${tag}`, payload } });

/** What happens in one second; `at` is when it begins. */
function eventsOf(second, at) {
  const events = [];
  if (second % pictureEvery === 0) {
    events.push({ type: 4, timestamp: at, data: { href: `https://shop.example/orders?page=${second / pictureEvery}`, width: 1_280, height: 800 } });
    events.push({ type: 2, timestamp: at + 1, data: { node: picture(second), initialOffset: { left: 0, top: 0 } } });
  } else {
    events.push(mutation(at + 2, { texts: [{ id: ids.clockText, value: clockAt(second) }] }));
    if (second % 5 === 0) {
      const newest = newestAt(second);
      events.push(mutation(at + 5, { removes: [{ parentId: ids.list, id: idOf(newest - rows) }], adds: [{ parentId: ids.list, nextId: null, node: { ...rowOf(newest), childNodes: [] } }, { parentId: idOf(newest), nextId: null, node: text(idOf(newest) + 1, wordsOf(newest)) }] }));
    }
  }
  for (let quarter = 0; quarter < 4; quarter += 1) {
    const x = (second * 37 + quarter * 11) % 1_200;
    const positions = [0, 1].map((step) => ({ x: x + step, y: 300 + (second % 200), id: ids.body, timeOffset: -100 * (1 - step) }));
    events.push({ type: 3, timestamp: at + 250 * quarter + 200, data: { source: 1, positions } });
  }
  if (second % 10 === 3) events.push({ type: 3, timestamp: at + 300, data: { source: 2, type: 2, id: ids.clock, x: 100, y: 40 } });
  if (second % 15 === 0) events.push(custom(at + 400, "console", { level: "info", message: `orders ${second}` }));
  if (second % 20 === 0) events.push(custom(at + 500, "network", { kind: "fetch", method: "GET", url: `/orders/${second}`, status: second % 100 === 0 ? 500 : 200, duration: 80 }));
  return events.sort((one, other) => one.timestamp - other.timestamp);
}

/** The parts of a replay of so many minutes, which ends about now. */
export function* partsOf(minutes, start = Date.now() - minutes * 60_000 - 60_000) {
  const seconds = minutes * 60;
  for (let from = 0; from < seconds; from += partOf) {
    const events = [];
    for (let second = from; second < Math.min(seconds, from + partOf); second += 1) events.push(...eventsOf(second, start + second * 1_000));
    yield { start, index: from / partOf, total: Math.ceil(seconds / partOf), events };
  }
}

/** Sends such a replay as a recorder does; it, and bytes of its events as JSON. */
export async function sendLong(server, project, minutes, name = `long-${minutes}`) {
  let bytes = 0;
  let id;
  for (const { start, index, total, events } of partsOf(minutes)) {
    const body = {
      api_key: project.key,
      session_id: name,
      window_id: "w",
      chunk_index: index,
      total_chunks: total,
      metadata: { start_timestamp: start, end_timestamp: start + minutes * 60_000, has_full_snapshot: true, url: "https://shop.example/orders" },
      events,
    };
    bytes += JSON.stringify(events).length;
    ({ replay_id: id } = await server.post("/api/v1/replays/chunk", body, { token: null, expect: 202 }));
  }
  const replay = await until(`all of replay ${id}`, async () => {
    const { status, body } = await server.raw(`/api/v1/replays/${id}?project_id=${project.id}`);
    return status === 200 && body.is_complete ? body : undefined;
  });
  return { replay, bytes };
}
