import { expect, test } from "vitest";
import { address } from "./address.ts";
import { plain, texts } from "./values.ts";

test("a copy is limited JSON", () => {
  const circle: Record<string, unknown> = { name: "x" };
  circle.self = circle;
  expect(JSON.stringify(plain(circle)).match(/"name"/g)).toHaveLength(5);
  expect(plain({ a: 1n, b: Number.NaN, c: Symbol("s"), d: undefined, e: null, f: () => 1, g: false })).toEqual({
    a: "1",
    b: "NaN",
    c: "Symbol(s)",
    d: undefined,
    e: null,
    f: "[object Function]",
    g: false,
  });
  expect(plain("x".repeat(5_000))).toHaveLength(1_024);
  expect(plain(Array(5_000).fill(1))).toHaveLength(100);
  expect(plain(new Date(0))).toBe("1970-01-01T00:00:00.000Z");
  expect(plain({ error: new TypeError("no") })).toMatchObject({ error: { type: "TypeError", message: "no" } });
});

test("hostile values cannot make it throw", () => {
  const trap = (): never => {
    throw new Error("trap");
  };
  const all = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((name) => [name, trap]));
  const values = [
    new Proxy({}, all),
    Object.defineProperty({ b: 1 }, "a", { get: trap, enumerable: true }),
    { toJSON: trap },
  ];
  for (const value of values) {
    expect(() => JSON.stringify([plain(value), texts(value)])).not.toThrow();
  }
  expect(plain(values[1])).toEqual({ b: 1 });
});

test("fields that the server accepts only as texts are texts", () => {
  expect(texts({ id: 5, vip: true, name: "x".repeat(500), nested: {}, none: null })).toEqual({
    id: "5",
    vip: "true",
    name: "x".repeat(256),
  });
  expect(texts(null)).toBeUndefined();
  expect(texts("ada")).toBeUndefined();
});

test.each([
  ["https://ada:pw@shop.example/a?page=2&token=abc#top", "https://shop.example/a?page=2&token=[Filtered]#top"],
  ["/reset?PASSWORD=1;apiKey=2&q=shoes", "/reset?PASSWORD=[Filtered];apiKey=[Filtered]&q=shoes"],
  ["/back#access_token=abc&state=x&expires_in=5", "/back#access_token=[Filtered]&state=[Filtered]&expires_in=5"],
  [`/a?blob=${"x".repeat(65)}&q=`, "/a?blob=[Filtered]&q="],
  ["/mail@home/?a=b", "/mail@home/?a=b"],
])("secrets do not stay in an address: %s", (url, cleaned) => {
  expect(address(url)).toBe(cleaned);
});
