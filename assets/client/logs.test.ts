import { afterEach, expect, test, vi } from "vitest";
import { gatherer, line, loggerOf } from "./logs.ts";

const tagged = (strings: TemplateStringsArray, ...values: unknown[]) => line(strings, values);

afterEach(() => void vi.useRealTimers());

test("a value is named by an object with one field, and otherwise by its position", () => {
  const order = 5;
  expect(tagged`Order ${{ order }} of ${"Ada"} failed: ${[1, "b"]}`).toEqual({
    message: 'Order 5 of Ada failed: [1,"b"]',
    template: "Order {order} of {1} failed: {2}",
    attributes: { order: 5, 1: "Ada", 2: [1, "b"] },
  });
  expect(tagged`nothing varies`).toEqual({ message: "nothing varies", template: "nothing varies", attributes: {} });
});

test("a message with attributes is a template, and the server makes one for others", () => {
  expect(line("Order {order} for {name}, {missing}", [{ order: 5, total: 9.5, name: "Ada" }])).toEqual({
    message: "Order 5 for Ada, {missing}",
    template: "Order {order} for {name}, {missing}",
    attributes: { order: 5, total: 9.5, name: "Ada" },
  });
  expect(line("Order 5", [])).toEqual({ message: "Order 5" });
  expect(line(undefined, [])).toEqual({ message: "undefined" });
});

test("entries are collected for five seconds, as they were when written", () => {
  vi.useFakeTimers();
  const send = vi.fn();
  const { add } = gatherer(send);
  const attributes = { count: 1 };
  add({ message: "first", attributes });
  attributes.count = 2;
  vi.advanceTimersByTime(4_999);
  add({ message: "second" });
  expect(send).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(JSON.parse(send.mock.calls[0]![0])).toEqual([
    { message: "first", attributes: { count: 1 } },
    { message: "second" },
  ]);
  vi.advanceTimersByTime(60_000);
  expect(send).toHaveBeenCalledTimes(1);
});

test("a batch has a hundred entries, or fewer if it could not outlive a page", () => {
  const sent: number[] = [];
  const { add, flush } = gatherer((entries) => sent.push(JSON.parse(entries).length));
  for (let index = 0; index < 250; index += 1) add({ message: "short" });
  flush();
  for (let index = 0; index < 20; index += 1) add({ message: "x".repeat(8_000) });
  flush();
  expect(sent).toEqual([100, 100, 50, 6, 6, 6, 2]);
});

test("an entry is limited, whatever it contains", () => {
  const sent: string[] = [];
  const { add, flush } = gatherer((entries) => sent.push(entries));
  const attributes = Object.fromEntries([...Array(100).keys()].map((key) => [key, "x".repeat(1_000)]));
  add({ message: "x".repeat(1e6), attributes });
  flush();
  expect(sent[0]!.length).toBeLessThan(12_000);
  expect(JSON.parse(sent[0]!)[0].attributes.cut).toHaveLength(1_024);
});

test("a logger has six levels and never throws", () => {
  const write = vi.fn();
  const logger = loggerOf(write);
  const name = "Ada";
  logger.warn`Hello ${{ name }}`;
  expect(write).toHaveBeenCalledExactlyOnceWith("warn", expect.objectContaining({ message: "Hello Ada" }));
  expect(Object.keys(logger)).toEqual(["trace", "debug", "info", "warn", "error", "fatal"]);
  const trap = new Proxy(
    {},
    {
      getPrototypeOf() {
        throw new Error("trap");
      },
    },
  );
  logger.info`of ${trap}`;
  logger.info("of", trap);
  write.mockImplementation(() => {
    throw new Error("full");
  });
  logger.info("x");
});
