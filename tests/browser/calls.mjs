// Counts the requests of a page that the server counts for a person, and keeps a project busy.

import { setTimeout as pause } from "node:timers/promises";
import { eventOf, sendAll } from "./seed.mjs";

/** What the server takes from a person in an hour, unless told otherwise. */
export const perHour = 1_000;
/** What live traffic may cost: a burst, and one more each 15 s. */
export const live = { burst: 40, each: 15_000 };

/** How many requests a page has made of the API; the stream of live messages is one that goes on. */
export const callsOf = (opened) => opened.requests(/\/(api\/v1|auth)\//).filter((url) => !/\/(stream|live)\b/.test(url)).length;

/** Keeps events of forty issues coming, until what it answers with is called. */
export function startTraffic(project, perSecond) {
  let going = true;
  const ended = (async () => {
    for (let at = 0; going; at += 1) {
      const fields = { exception: { message: `cart ${at % 40} is empty` }, timestamp: new Date().toISOString() };
      await sendAll(project, [eventOf(at % 40, fields)]);
      await pause(1000 / perSecond);
    }
  })();
  return async () => {
    going = false;
    await ended;
  };
}
