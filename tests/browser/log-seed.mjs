// Log entries for the pages to show.

import { until } from "./server.mjs";

/** Entries that the server takes at once. */
const most = 100;

const levels = ["info", "info", "debug", "info", "warn", "info", "trace", "error", "info", "fatal"];
const loggers = ["shop.orders", "shop.db", "http access"];

/** One of many entries: `index` 0 is the newest, each other one `apart` milliseconds older. */
export function entryOf(index, { apart = 1_000, now = Date.now(), ...fields } = {}) {
  return {
    timestamp: (now - index * apart) / 1000,
    level: levels[index % levels.length],
    message: index % 3 === 0 ? `Order ${1000 + index} was paid in ${index % 97} ms` : `Connection to db-${index % 4} timed out after ${index} ms`,
    logger_name: loggers[index % loggers.length],
    attributes: { order: { id: 1000 + index }, region: index % 2 === 0 ? "eu west" : "us", index },
    user: { id: `user-${index % 5}` },
    ...fields,
  };
}

/** Sends entries in batches. */
export async function sendLogs(project, entries) {
  for (let at = 0; at < entries.length; at += most) {
    const body = { api_key: project.key, release: "1.0.0", logs: entries.slice(at, at + most) };
    await project.server.post("/api/v1/logs/batch", body, { token: null, expect: 202 });
  }
}

/** Sends so many entries, and waits until they are found. */
export async function fillLogs(project, count, fieldsOf = () => ({})) {
  const now = Date.now();
  await sendLogs(project, Array.from({ length: count }, (_, index) => entryOf(index, { now, ...fieldsOf(index) })));
  await hasLogs(project, count);
}

/** Waits until the project has so many entries that fit a search. */
export function hasLogs(project, count, search = "") {
  const path = `/api/v1/projects/${project.id}/logs?limit=1&search=${encodeURIComponent(search)}`;
  return until(`${count} entries`, async () => ((await project.server.request(path)).total >= count ? true : undefined), 90_000);
}
