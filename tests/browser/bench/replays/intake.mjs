// What the server takes in, beside the same disk without it.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { partsOf } from "../../long-replay.mjs";
import { until } from "../../server.mjs";

/** Connections at once, and milliseconds of a run. */
const connections = 8;
const length = 3_000;
const megabyte = 1_000_000;
/** Different parts, which are sent again and again; the server writes each that comes. */
const parts = 60;
/** Events of a part: half a minute or more. */
const events = 400;

/** Parts as recorders send them, packed, each of a replay of its own. */
function made(project) {
  const bodies = [];
  let gathered = [];
  for (const { start, events: some } of partsOf(60)) {
    gathered.push(...some);
    if (gathered.length < events) continue;
    const metadata = { start_timestamp: start, end_timestamp: start + 3_000_000 };
    const ids = { session_id: randomBytes(16).toString("hex"), window_id: "w", chunk_index: 0, total_chunks: null };
    const body = JSON.stringify({ api_key: project.key, ...ids, metadata, events: gathered });
    bodies.push({ packed: gzipSync(body), plain: body.length });
    gathered = [];
    if (bodies.length === parts) break;
  }
  return bodies;
}

/** Sends parts as fast as they are taken; how many, and megabytes a second as they were sent and decompressed. */
async function send(server, bodies) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(server.origin);
  const post = (body) =>
    new Promise((done, fail) => {
      const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip", "Content-Length": body.length };
      const sent = request({ agent, hostname, port, path: "/api/v1/replays/chunk", method: "POST", headers }, (answer) => {
        answer.resume();
        answer.on("end", () => (answer.statusCode === 202 ? done() : fail(new Error(`a part was answered ${answer.statusCode}`))));
      });
      sent.on("error", fail);
      sent.end(body);
    });
  const sum = { wire: 0, plain: 0 };
  const begin = performance.now();
  let count = 0;
  const one = async () => {
    while (performance.now() - begin < length) {
      const { packed, plain } = bodies[count % bodies.length];
      count += 1;
      await post(packed);
      sum.wire += packed.length;
      sum.plain += plain;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  const seconds = (performance.now() - begin) / 1_000;
  return { each: count / seconds, wire: sum.wire / seconds / megabyte, plain: sum.plain / seconds / megabyte };
}

/** Megabytes a second of files of so many bytes by so many writers, each synced. */
async function written(folder, size, writers) {
  const bytes = randomBytes(size);
  const begin = performance.now();
  let count = 0;
  const one = async (name) => {
    const path = join(folder, name);
    while (performance.now() - begin < length) {
      const file = await open(path, "w");
      await file.write(bytes);
      await file.datasync();
      await file.close();
      count += 1;
    }
    await rm(path);
  };
  await Promise.all(Array.from({ length: writers }, (_, index) => one(`file-${index}`)));
  return (count * size) / ((performance.now() - begin) / 1_000) / megabyte;
}

/** Bytes that a part occupies, on average. */
const storedSize = (server, project, count) =>
  until("the parts that were sent", async () => {
    const { replays, total } = await server.request(`/api/v1/projects/${project.id}/replays?limit=100`);
    const bytes = replays.reduce((sum, replay) => sum + replay.bytes, 0);
    return total === count ? Math.round(bytes / count) : undefined;
  });

export async function intake({ server, rounds, said }) {
  const figures = { wire: [], plain: [], stored: [], disk: [], synced: [] };
  const project = await server.project("bench intake");
  const bodies = made(project);
  // Beside the data directory, on the same disk: the server looks at what is in there.
  const folder = mkdtempSync(`${server.dataDir}-files-`);
  try {
    for (let round = 0; round < rounds; round += 1) {
      said(`replays in, round ${round + 1} of ${rounds}`);
      const { each, wire, plain } = await send(server, bodies);
      const size = await storedSize(server, project, bodies.length);
      figures.wire.push(wire);
      figures.plain.push(plain);
      figures.stored.push((each * size) / megabyte);
      figures.disk.push(await written(folder, 8 * megabyte, 1));
      figures.synced.push(await written(folder, size, connections));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}
