import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sender } from "./send.ts";

const origin = "https://mayday.example";
const path = "/api/v1/errors";

function fetching(answer: () => unknown, more = {}) {
  const fetch = vi.fn(answer);
  const sendBeacon = vi.fn(() => true);
  vi.stubGlobal("fetch", fetch);
  vi.stubGlobal("navigator", { sendBeacon, ...more });
  const inits = () => fetch.mock.calls.map((call: unknown[]) => call[1] as RequestInit);
  return { fetch, sendBeacon, bodies: () => inits().map(({ body }) => body), inits };
}
const answering =
  (status: number, headers = {}) =>
  () =>
    Promise.resolve(new Response(null, { status, headers }));
const failing = () => Promise.reject(new TypeError("Failed to fetch"));
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a body is sent at once as plain text, without cookies, and may outlive its page", () => {
  const { fetch } = fetching(answering(202));
  sender(origin).send(path, "{}");
  expect(fetch).toHaveBeenCalledExactlyOnceWith(origin + path, {
    method: "POST",
    body: "{}",
    mode: "cors",
    credentials: "omit",
    keepalive: true,
  });
});

test("requests over the browser's limit for outliving a page are sent normally", async () => {
  const { inits } = fetching(answering(202));
  const { send } = sender(origin);
  send(path, "x".repeat(40_000));
  send(path, "x".repeat(40_000));
  await pass(0);
  send(path, "ü".repeat(25_000));
  send(path, "ü".repeat(30_000));
  expect(inits().map(({ keepalive }) => keepalive)).toEqual([true, false, true, false]);
});

test.each([
  [429, { "Retry-After": "7" }, 7_000],
  [503, { "Retry-After": "2" }, 2_000],
])("answered %i with %o it waits that long, also when it is told to hurry", async (status, headers, pause) => {
  const { fetch, bodies } = fetching(answering(status, headers));
  const { send, hurry } = sender(origin);
  send(path, "1");
  await pass(0);
  send(path, "2");
  hurry();
  hurry(true);
  await pass(pause - 1);
  expect(fetch).toHaveBeenCalledTimes(1);
  fetch.mockImplementation(answering(202));
  await pass(1);
  expect(bodies().slice(1).sort()).toEqual(["1", "2"]);
});

test.each([401, 403])("answered %i it is silent for good", async (status) => {
  const { fetch } = fetching(answering(status));
  const { send, flush } = sender(origin);
  for (let index = 0; index < 20; index += 1) send(path, "1");
  await pass(0);
  const count = fetch.mock.calls.length;
  send(path, "2");
  await pass(1e6);
  expect(fetch).toHaveBeenCalledTimes(count);
  expect(count).toBeLessThanOrEqual(10);
  expect(await flush(0)).toBe(false);
});

test("a server that is down is retried at growing intervals, one request at a time, and nothing is lost", async () => {
  const { fetch, bodies } = fetching(failing);
  const { send } = sender(origin);
  send(path, "1");
  await pass(0);
  send(path, "2");
  send(path, "3");
  await pass(1_000);
  expect(fetch).toHaveBeenCalledTimes(2);
  await pass(3_600_000);
  const attempts = fetch.mock.calls.length;
  expect(attempts).toBeLessThan(30);
  fetch.mockImplementation(answering(202));
  await pass(300_000);
  expect(bodies().slice(attempts).sort()).toEqual(["1", "2", "3"]);
});

test("the first fifty requests wait, and further ones are dropped", async () => {
  const { fetch, bodies } = fetching(failing);
  const { send } = sender(origin);
  send(path, "0");
  await pass(0);
  for (let index = 1; index < 1_000; index += 1) send(path, String(index));
  fetch.mockImplementation(answering(202));
  await pass(10_000);
  expect(
    bodies()
      .slice(1)
      .map(Number)
      .sort((one, other) => one - other),
  ).toEqual([...Array(50).keys()]);
});

test("a request on which the server fails is dropped, and others are not", async () => {
  const { fetch, bodies } = fetching(answering(500));
  const { send } = sender(origin);
  send(path, "poison");
  await pass(3_600_000);
  expect(bodies()).toEqual(Array(5).fill("poison"));
  fetch.mockImplementation(answering(202));
  send(path, "fine");
  await pass(0);
  expect(bodies().at(-1)).toBe("fine");
});

test("a refused request is not sent again", async () => {
  const { fetch } = fetching(answering(422));
  sender(origin).send(path, "1");
  await pass(1e6);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("offline nothing is tried until the browser is online", async () => {
  const network = { onLine: false };
  const { fetch } = fetching(answering(202), network);
  const { send, hurry } = sender(origin);
  (navigator as unknown as typeof network).onLine = false;
  send(path, "1");
  await pass(1e6);
  expect(fetch).not.toHaveBeenCalled();
  (navigator as unknown as typeof network).onLine = true;
  hurry();
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("a batch has an id, except when the page is left", async () => {
  const { inits } = fetching(answering(202), { onLine: false });
  const { send, hurry } = sender(origin);
  send(path, "1", "an id");
  Object.assign(navigator, { onLine: true });
  hurry(true);
  send(path, "2", "another");
  expect(inits().map(({ headers }) => headers)).toEqual([undefined, { "Idempotency-Key": "another" }]);
});

test("a browser whose requests cannot outlive a page sends beacons", () => {
  const { fetch, sendBeacon } = fetching(answering(202), { onLine: false });
  vi.stubGlobal("Request", class {});
  const { send, hurry } = sender(origin);
  send(path, "1");
  Object.assign(navigator, { onLine: true });
  hurry(true);
  expect(fetch).not.toHaveBeenCalled();
  expect(sendBeacon).toHaveBeenCalledExactlyOnceWith(origin + path, "1");
});

test("without a working fetch beacons are used, and without those nothing", () => {
  const { sendBeacon } = fetching(() => {
    throw new Error("patched");
  });
  sender(origin).send(path, "1");
  expect(sendBeacon).toHaveBeenCalledExactlyOnceWith(origin + path, "1");
  vi.stubGlobal("fetch", undefined);
  vi.stubGlobal("navigator", {});
  expect(() => sender(origin).send(path, "1")).not.toThrow();
});

test("a page's own fetch may return anything", async () => {
  const { inits } = fetching(() => 7);
  const { send } = sender(origin);
  send(path, "x".repeat(50_000));
  await pass(0);
  send(path, "x".repeat(50_000));
  expect(inits().map(({ keepalive }) => keepalive)).toEqual([true, true]);
});

test("answers are read, and a retry does not ask to outlive the page, since browsers allow few of those", async () => {
  const answer = new Response("{}", { status: 503 });
  const { fetch, inits } = fetching(() => Promise.resolve(answer));
  sender(origin).send(path, "1");
  await pass(0);
  expect(answer.bodyUsed).toBe(true);
  fetch.mockImplementation(answering(202));
  await pass(1_000);
  expect(inits().map(({ keepalive }) => keepalive)).toEqual([true, false]);
});

test("flushing ends once everything has arrived, or at its limit", async () => {
  let arrive: (answer: Response) => void = () => {};
  fetching(() => new Promise((done) => (arrive = done)));
  const { send, flush } = sender(origin);
  send(path, "1");
  const late = flush(100);
  await pass(200);
  expect(await late).toBe(false);
  const inTime = flush(10_000);
  arrive(new Response(null, { status: 202 }));
  await pass(100);
  expect(await inTime).toBe(true);
});
