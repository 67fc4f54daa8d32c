import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { describe, describeText } from "./describe.ts";
import type { Exception } from "./types.ts";

const rejected = (value: unknown) => describe(value, "UnhandledRejection");
const throwing = (): never => {
  throw new Error("from a getter");
};

test("an error keeps its name, message and stack", () => {
  const error = new TypeError("price is undefined");
  expect(describe(error, "Error")).toEqual({ type: "TypeError", message: "price is undefined", stack: error.stack });
});

test("an error of another realm is recognized", () => {
  const error = runInNewContext("new RangeError('far away')");
  expect(error).not.toBeInstanceOf(Error);
  expect(rejected(error)).toMatchObject({ type: "RangeError", message: "far away", stack: error.stack });
});

test("a DOMException has its specific name as type", () => {
  expect(rejected(new DOMException("The user aborted a request.", "AbortError"))).toMatchObject({
    type: "AbortError",
    message: "The user aborted a request.",
  });
});

test.each([
  ["declined", "declined"],
  [undefined, "undefined"],
  [null, "null"],
  [402, "402"],
  [10n, "10"],
  [Symbol("s"), "Symbol(s)"],
  ["", ""],
  [{ code: 402, retry: false, card: "4111" }, "[object Object] {code: 402, retry: false, card}"],
  [[1, "two"], "[object Array] {0: 1, 1}"],
  [Object.create(null), "[object Object] {}"],
])("what is no error is described: %o", (value, message) => {
  expect(rejected(value)).toEqual({ type: "UnhandledRejection", message });
});

test("texts in an object that is not an error are not sent", () => {
  expect(JSON.stringify(rejected({ user: "ada", password: "hunter2" }))).not.toMatch(/ada|hunter2/);
});

test("causes are followed to depth ten, through cycles and values of any kind", () => {
  const circle = new Error("a");
  circle.cause = circle;
  let depth = 0;
  for (let at: Exception | undefined = rejected(circle).cause; at; at = at.cause) depth += 1;
  expect(depth).toBe(10);
  expect(rejected(new Error("a", { cause: "text" })).cause).toEqual({ type: "UnhandledRejection", message: "text" });
});

test("hostile values cannot make it throw", () => {
  const everything = new Proxy(
    {},
    Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((trap) => [trap, throwing])),
  );
  const half = Object.defineProperties(new Error("x"), { message: { get: throwing }, name: { get: throwing } });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const unspeakable = { message: "m", name: { toString: throwing }, stack: 7 };
  for (const value of [everything, half, revoked.proxy, unspeakable, Object.freeze(new Error("frozen"))]) {
    expect(typeof rejected(value).type).toBe("string");
    expect(typeof rejected(value).message).toBe("string");
  }
  expect(rejected(unspeakable)).toEqual({ type: "UnhandledRejection", message: "m" });
});

test("an event has at most 40,000 characters, of which the first error gets its share first", () => {
  const long = "x".repeat(100_000);
  const error = Object.assign(new Error(long), { stack: long, cause: new Error(long) });
  const exception = rejected(error);
  expect(exception.message).toHaveLength(8_192);
  expect(exception.type.length + exception.message.length + exception.stack!.length).toBe(40_000);
  expect(exception.cause).toMatchObject({ type: "", message: "", stack: "" });
});

test("a missing stack is replaced by the position from the browser", () => {
  expect(describe("text", "Error", "https://a.example/x.js:3:7")).toEqual({
    type: "Error",
    message: "text",
    stack: "Error: text\n    at https://a.example/x.js:3:7",
  });
});

test.each([
  ["Uncaught TypeError: x is not a function", "TypeError", "x is not a function"],
  ["Uncaught undefined", "Error", "undefined"],
  ["Script error.", "Error", "Script error."],
  ["ReferenceError: a\nb", "ReferenceError", "a\nb"],
])("the browser's words are taken apart: %s", (said, type, message) => {
  expect(describeText(said)).toEqual({ type, message });
});
