import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "./client.ts";
import type { WatcherApi } from "./platform.ts";
import type { Source, Tap, Tapped } from "./tap.ts";
import type { MaydayEvent, Options } from "./types.ts";

type Sent = MaydayEvent & { api_key: string; logs: Record<string, unknown>[] };

let client: Tapped;
let api: WatcherApi;
let ended: boolean;
const sent: Sent[] = [];

beforeEach(() => {
  vi.stubGlobal("VERSION", "1.2.3");
  vi.stubGlobal("fetch", (_: string, { body }: RequestInit) => {
    sent.push(JSON.parse(body as string));
    return Promise.resolve(new Response(null, { status: 202 }));
  });
  sent.length = 0;
  ended = false;
  client = createClient({
    sdk: "mayday.test",
    platform: "javascript",
    most: 30,
    about: () => ({ url: "https://shop.example/" }),
    watch(given) {
      api = given;
      return () => (ended = true);
    },
  });
});
afterEach(async () => {
  await client.close(0);
  vi.unstubAllGlobals();
});

const start = (options: Partial<Options> = {}) =>
  client.init({ key: "pk_1", url: "https://mayday.example", ...options });

test("nothing is sent before the start, and starting again has no effect", () => {
  expect(client.captureException(new Error("early"))).toBeUndefined();
  expect([start({ key: "" }), start({ url: "mayday" }), start({ url: "javascript:1" })]).toEqual([false, false, false]);
  expect(client.init(undefined as unknown as Options)).toBe(false);
  expect([start(), start()]).toEqual([true, false]);
  expect(sent).toEqual([]);
});

test("an error has its context, the person and the breadcrumbs", () => {
  start({ release: "1.4.2", environment: "staging" });
  client.setUser({ id: 7, email: "ada@example.com", plan: {} } as never);
  client.setAccount({ id: "acme" });
  client.setTag("tier", 1);
  client.setTag("gone", "x");
  client.setTag("gone", null);
  client.addBreadcrumb({ category: "cart", message: "added", data: { big: 1n } });
  const extra = { at: new Date(0) };
  const id = client.captureException(new RangeError("too far"), {
    level: "fatal",
    tags: { step: 2 },
    extra,
    fingerprint: ["far"],
  });
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    api_key: "pk_1",
    event_id: id,
    type: "exception",
    level: "fatal",
    release: "1.4.2",
    environment: "staging",
    url: "https://shop.example/",
    sdk: { name: "mayday.test", version: "1.2.3" },
    user: { id: "7", email: "ada@example.com" },
    account: { id: "acme" },
    tags: { tier: "1", step: "2" },
    extra: { at: "1970-01-01T00:00:00.000Z" },
    fingerprint: ["far"],
    breadcrumbs: [{ category: "cart", message: "added", data: { big: "1" } }],
    exception: { type: "RangeError", mechanism: { type: "generic", handled: true } },
  });
  client.captureMessage("hello");
  expect(sent[1]).toMatchObject({
    type: "message",
    message: "hello",
    breadcrumbs: [{}, { message: "RangeError: too far" }],
  });
});

test("the same error is reported once, whatever reports it", () => {
  start();
  const error = new Error("once");
  client.captureException(error);
  api.report("onerror", error, () => ({ type: "Error", message: "said otherwise" }));
  expect(sent).toHaveLength(1);
});

test("an invalid level is left out, because the server would refuse it", () => {
  start();
  client.captureMessage("x", { level: "warn" as never });
  expect(sent[0]).not.toHaveProperty("level");
});

test("patterns, sampling and beforeSend decide what is sent", () => {
  const reported = (options: Partial<Options>) => {
    void client.close(0);
    return options;
  };
  start(reported({ ignore: ["loop", /^TypeError: .* of null$/g] }));
  for (const message of ["in a loop", "x of null", "x of null", "x of undefined"])
    client.captureException(new TypeError(message));
  expect(sent.map(({ exception }) => exception?.message)).toEqual(["x of undefined"]);
});

test("a sample rate of zero sends nothing", () => {
  start({ sampleRate: 0 });
  client.captureMessage("x");
  expect(sent).toEqual([]);
});

test("the result of beforeSend is sent, and nothing if it returns nothing or throws", () => {
  start({
    beforeSend(event) {
      if (event.message === "bite") throw new Error("in beforeSend");
      return event.message === "drop" ? null : { ...event, url: "hidden" };
    },
  });
  expect(["drop", "bite", "keep"].map((message) => client.captureMessage(message))).toEqual([
    undefined,
    undefined,
    expect.any(String),
  ]);
  expect(sent.map(({ url }) => url)).toEqual(["hidden"]);
});

test("the newest hundred breadcrumbs are kept", () => {
  start();
  for (let index = 0; index < 500; index += 1) client.addBreadcrumb({ message: String(index) });
  client.captureMessage("x");
  expect(sent[0]!.breadcrumbs.map(({ message }) => message)).toEqual(
    [...Array(100).keys()].map((at) => String(at + 400)),
  );
});

test("log entries and errors share the trace until the next one begins", async () => {
  start({ release: "1.4.2" });
  client.setUser({ id: "ada" });
  client.logger.info`one`;
  client.captureMessage("x");
  api.trace(true);
  client.logger.info`two`;
  await client.flush();
  const [event, batch] = sent;
  expect(batch).toMatchObject({ api_key: "pk_1", release: "1.4.2" });
  const [one, two] = batch!.logs;
  expect(one).toMatchObject({ level: "info", message: "one", user: { id: "ada" }, trace_id: event!.trace_id });
  expect(two!.trace_id).not.toBe(one!.trace_id);
  expect(Number(one!.timestamp) * 1_000 - Date.now()).toBeLessThan(60_000);
});

test("debug ids of the files in the stack are sent", () => {
  start();
  const error = Object.assign(new Error("x"), { stack: "Error: x\n    at f (https://shop.example/a.js:1:5)" });
  vi.stubGlobal("_debugIds", {
    "Error\n    at https://shop.example/a.js:1:200\n    at https://shop.example/c.js:1:1": "id-a",
    "@https://shop.example/b.js:3:4\n": "id-b",
  });
  client.captureException(error);
  expect(sent[0]!.debug_meta).toEqual({
    images: [{ type: "sourcemap", code_file: "https://shop.example/a.js", debug_id: "id-a" }],
  });
});

test("a closed client sends what is left, stops watching, and can be started again", async () => {
  start();
  client.logger.info`last words`;
  expect(await client.close()).toBe(true);
  expect(ended).toBe(true);
  expect(sent).toHaveLength(1);
  client.captureMessage("x");
  expect(sent).toHaveLength(1);
  expect(start()).toBe(true);
});

test("one recorder at a time gets breadcrumbs, and events before and after they are sent", () => {
  const heard: string[] = [];
  let source: Source | undefined;
  const make = (given: Source): Tap => {
    source = given;
    return {
      crumb: ({ message }) => heard.push(`crumb ${message}`),
      event: (event) => {
        event.replay_id = "r";
        throw new Error("the recorder's own");
      },
      sent: ({ replay_id }) => heard.push(`sent ${replay_id}`),
      state: () => ({ state: "off" }),
      end: () => heard.push("end"),
    };
  };
  expect(client.tap(make)).toBe(false);
  start({ release: "1.4.2", beforeSend: (event) => (event.message === "unwanted" ? null : event) });
  expect([client.tap(make), client.tap(make)]).toEqual([true, false]);
  expect([source?.options.release, source?.origin]).toEqual(["1.4.2", "https://mayday.example"]);
  client.addBreadcrumb({ message: "cart" });
  client.captureMessage("unwanted");
  client.captureException(new Error("x"));
  expect(sent[0]?.replay_id).toBe("r");
  void client.close(0);
  expect(heard).toEqual(["crumb cart", "sent r", "end"]);
});
