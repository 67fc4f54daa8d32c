import { afterEach, expect, test, vi } from "vitest";
import { sender } from "./send.ts";

const address = "https://mayday.example/api/v1/errors";
const settled = () => new Promise((done) => setTimeout(done));

function fetching(answer: () => unknown) {
  const fetch = vi.fn(answer);
  const sendBeacon = vi.fn(() => true);
  vi.stubGlobal("fetch", fetch);
  vi.stubGlobal("navigator", { sendBeacon });
  return {
    fetch,
    sendBeacon,
    keepalive: () => fetch.mock.calls.map((call: unknown[]) => (call[1] as RequestInit).keepalive),
  };
}
afterEach(() => vi.unstubAllGlobals());

const answering =
  (status: number, headers = {}) =>
  () =>
    Promise.resolve(new Response(null, { status, headers }));

test("an event is sent as plain text, without cookies, and outlives its page", () => {
  const { fetch } = fetching(answering(202));
  sender(address)("{}", 0);
  expect(fetch).toHaveBeenCalledExactlyOnceWith(address, {
    method: "POST",
    body: "{}",
    mode: "cors",
    credentials: "omit",
    keepalive: true,
  });
});

test("what would be over the browser's bound for what outlives a page is sent without", async () => {
  const { keepalive } = fetching(answering(202));
  const send = sender(address);
  send("x".repeat(40_000), 0);
  send("x".repeat(40_000), 0);
  await settled();
  send("ü".repeat(25_000), 0);
  send("ü".repeat(30_000), 0);
  expect(keepalive()).toEqual([true, false, true, false]);
});

test.each([
  [429, { "Retry-After": "7" }, 7_000],
  [503, { "Retry-After": "2" }, 2_000],
  [429, {}, 60_000],
])("answered %i with %o it is silent that long", async (status, headers, pause) => {
  const { fetch } = fetching(answering(status, headers));
  const send = sender(address);
  send("1", 0);
  await settled();
  send("2", pause - 1);
  expect(fetch).toHaveBeenCalledTimes(1);
  send("3", pause);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("with a wrong key it is silent for good", async () => {
  const { fetch } = fetching(answering(401));
  const send = sender(address);
  send("1", 0);
  await settled();
  send("2", 1e9);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("a server that is away is nothing to anybody, and is asked again", async () => {
  const { fetch, sendBeacon } = fetching(() => Promise.reject(new TypeError("Failed to fetch")));
  const send = sender(address);
  send("1", 0);
  await settled();
  send("2", 1);
  await settled();
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(sendBeacon).not.toHaveBeenCalled();
});

test("without a fetch that works there is the beacon, and without that nothing", () => {
  const { sendBeacon } = fetching(() => {
    throw new Error("patched");
  });
  sender(address)("1", 0);
  expect(sendBeacon).toHaveBeenCalledExactlyOnceWith(address, "1");
  vi.stubGlobal("fetch", undefined);
  vi.stubGlobal("navigator", {});
  expect(() => sender(address)("1", 0)).not.toThrow();
});

test("a page's own fetch may answer with anything", async () => {
  const { keepalive } = fetching(() => 7);
  const send = sender(address);
  send("x".repeat(50_000), 0);
  await settled();
  send("x".repeat(50_000), 1);
  expect(keepalive()).toEqual([true, true]);
});
