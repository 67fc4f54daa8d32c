// The public API as the demo uses it.

import { setTimeout as pause } from "node:timers/promises";

/** Tries until an overloaded or limiting server takes a request. */
const triesMax = 20;

export class Api {
  constructor(origin, token) {
    this.origin = origin;
    this.token = token;
  }

  /** One request; a 429 or 503 is waited for as the server says. Throws with what it said otherwise. */
  async request(method, path, { json, form, token = this.token, expect = [200, 201, 202, 204] } = {}) {
    for (let tried = 1; ; tried += 1) {
      const response = await fetch(new URL(path, this.origin), {
        method,
        body: json === undefined ? form : JSON.stringify(json),
        headers: {
          ...(token && { Authorization: `Bearer ${token}` }),
          ...(json !== undefined && { "Content-Type": "application/json" }),
        },
      });
      const text = await response.text();
      if (expect.includes(response.status)) return { status: response.status, body: text ? JSON.parse(text) : undefined };
      const busy = response.status === 429 || response.status === 503;
      if (!busy || tried === triesMax) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
      await pause((Number(response.headers.get("Retry-After")) || 1) * 1_000);
    }
  }

  async get(path) {
    return (await this.request("GET", path)).body;
  }

  async post(path, json, options) {
    return (await this.request("POST", path, { json, ...options })).body;
  }

  async patch(path, json) {
    return (await this.request("PATCH", path, { json })).body;
  }
}

/** Does something for each of a list, so many at once. */
export async function each(list, atOnce, work) {
  const rest = list[Symbol.iterator]();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Asks until there is an answer. */
export async function until(what, ask, limit = 120_000) {
  const end = Date.now() + limit;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`after ${limit / 1_000} s still not so: ${what}`);
    await pause(150);
  }
}
