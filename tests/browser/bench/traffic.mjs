// What comes over the wire, by what the browser says of it: headers and bodies as they were sent, compressed.

import { setTimeout as pause } from "node:timers/promises";

/** Follows a page from now on. */
export function collectTraffic(session) {
  const requests = new Map();
  let last = Date.now();
  const on = (name, take) =>
    session.on(name, (event) => {
      last = Date.now();
      take(event);
    });
  on("Network.requestWillBeSent", ({ requestId, request, type }) => requests.set(requestId, { url: request.url, type, bytes: 0 }));
  on("Network.responseReceived", ({ requestId, response, type }) => {
    const request = requests.get(requestId);
    // Of a stream, which does not end, the headers are all there is.
    if (request) Object.assign(request, { type, bytes: response.encodedDataLength });
  });
  on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) request.bytes = encodedDataLength;
  });
  return {
    /** Waits until nothing has come for so many milliseconds. */
    silent: async (milliseconds) => {
      while (Date.now() - last < milliseconds) await pause(50);
    },
    /** Bytes and requests, altogether and by kind. */
    sums: () => {
      const kinds = {};
      for (const { type, bytes } of requests.values()) {
        const kind = (kinds[type] ??= { bytes: 0, requests: 0 });
        kind.bytes += bytes;
        kind.requests += 1;
      }
      const all = [...requests.values()];
      return { bytes: all.reduce((sum, { bytes }) => sum + bytes, 0), requests: all.length, kinds, urls: all };
    },
  };
}
