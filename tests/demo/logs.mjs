// What the shop's services log: traces of ordinary requests over the last days, and around each error of
// that time the entries of its trace.

import { each } from "./api.mjs";
import { moment, Random } from "./random.mjs";

const day = 24 * 3_600_000;
const days = 3;
const batchSize = 100;
const batchesAtOnce = 4;
/** Traces of requests in which nothing went wrong. */
const ordinary = 2_500;

const requests = [
  ["GET", "/products/{id}", "catalog"],
  ["GET", "/search", "search"],
  ["POST", "/basket", "basket"],
  ["POST", "/v1/orders", "orders"],
  ["GET", "/v1/invoices/{id}", "invoices"],
];

/** Steps of a request: what is logged, by which logger, after how many milliseconds. */
function steps(random, [method, route, service]) {
  const id = random.whole(1_000, 9_999);
  const path = route.replace("{id}", id);
  const took = random.whole(4, 40) * (random.chance(0.05) ? 30 : 1);
  const logger = `shop.${service}`;
  const slow = took > 400;
  return [
    { level: "debug", logger, message: `${method} ${path} from ${random.pick(["eu-central", "us-east"])}`, attributes: { http: { method, path } } },
    { level: "trace", logger: "shop.cache", message: `cache ${random.chance(0.8) ? "hit" : "miss"} for ${service}:${id}`, attributes: { key: `${service}:${id}` } },
    slow
      ? { level: "warn", logger: "shop.db", message: `slow query took ${took} ms: select * from ${service} where id = ${id}`, attributes: { duration_ms: took } }
      : { level: "debug", logger: "shop.db", message: `query on ${service} took ${took} ms`, attributes: { duration_ms: took } },
    { level: "info", logger, message: `${method} ${path} 200 in ${took + 6} ms`, attributes: { status: 200, duration_ms: took + 6, ...(service === "orders" && { order_id: id }) } },
  ];
}

function entries(random, time, trace, list, shared) {
  let at = time;
  return list.map(({ logger, ...entry }) => {
    at += random.whole(1, 60);
    return { timestamp: at / 1_000, logger_name: logger, trace_id: trace, span_id: random.hex(16), ...entry, ...shared };
  });
}

/** The trace of an error: the request's steps before it, the error itself, and what was done about it. */
function aroundError(random, time, event) {
  const before = steps(random, random.pick(requests)).slice(0, 3);
  const said = event.exception ? `${event.exception.type}: ${event.exception.message}` : event.message;
  const failed = { level: event.level === "fatal" ? "fatal" : "error", logger: "shop.errors", message: `request failed: ${said}`, attributes: { event_id: event.event_id } };
  const after = { level: "info", logger: "shop.http", message: "answered 500, the customer sees the sorry page", attributes: { status: 500 } };
  const shared = { ...(event.user?.id && { user: { id: String(event.user.id), email: event.user.email } }), ...(event.account && { account: event.account }) };
  const start = time - random.whole(200, 900);
  const earlier = entries(random, start, event.trace_id, before, shared);
  const later = entries(random, time, event.trace_id, [failed, after], shared);
  return [...earlier, ...later];
}

/** Sends the logs of a project; answers how many. `history` is `[{time, event}]`. */
export async function sendLogs(api, project, history, { seed, now }) {
  const random = new Random(seed);
  const all = history
    .filter(({ time, event }) => now - time < days * day && event.trace_id)
    .flatMap(({ time, event }) => aroundError(random, time, event));
  for (let count = 0; count < ordinary; count += 1) {
    const time = moment(random, now, [days, 0]);
    all.push(...entries(random, time, random.hex(32), steps(random, random.pick(requests)), {}));
  }
  all.sort((one, other) => one.timestamp - other.timestamp);
  const batches = [];
  for (let from = 0; from < all.length; from += batchSize) batches.push(all.slice(from, from + batchSize));
  await each(batches, batchesAtOnce, async (logs) => {
    const body = { api_key: project.key, environment: "production", logs };
    const { dropped } = await api.post("/api/v1/logs/batch", body, { token: null });
    if (dropped > 0) throw new Error(`${project.name}: ${dropped} log entries were dropped`);
  });
  return all.length;
}
