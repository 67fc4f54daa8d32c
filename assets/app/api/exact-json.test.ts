import { expect, test, vi } from "vitest";
import { ExactNumber, isBranch, isNumber, parseExact } from "./exact-json.ts";

const one = (text: string) => (parseExact(`[${text}]`) as unknown[])[0];
/** Parsed, and written again. */
const again = (text: string) => JSON.stringify(parseExact(text));

test("numbers that no double holds keep their digits", () => {
  for (const text of [
    "9007199254740993",
    "-9007199254740993",
    "12345678901234567890",
    "123456789012345678901234567890",
    "0.12345678901234567890",
    "-1234567890.12345678901",
    "9007199254740993.0",
    "1.2345678901234567891e5",
    "1e400",
    "-1e400",
    "1E-400",
    "1e99999999999999999999",
    "1.00000000000000000001",
  ]) {
    const value = one(text);
    expect(value, text).toBeInstanceOf(ExactNumber);
    expect(String(value)).toBe(text);
    expect(again(`{"a":${text}}`)).toBe(`{"a":${text}}`);
  }
});

test("the same number in another spelling stays a plain number", () => {
  const same = { "1.0": 1, "1e3": 1000, "1E+3": 1000, "0.10": 0.1, "12.5e-1": 1.25, "9007199254740992": 2 ** 53 };
  for (const [text, value] of Object.entries(same)) expect(one(text), text).toBe(value);
  for (const text of [
    "0.000000000000000000",
    "0e400",
    "100000000000000000000",
    "1.000000000000000000",
    "1e21",
    "5e-324",
  ])
    expect(one(text), text).toBe(Number(text));
  expect(one("-0")).toBe(-0);
  expect(one("-0.00000000000000000")).toBe(-0);
});

test("numbers are exact at any place, with any white space", () => {
  const text = '{"a":{"b":[1,9007199254740993,{"c":-9007199254740993}]},"9007199254740993":1,"d" : \n9007199254740993}';
  expect(again(text)).toBe(text.replace(/\s/g, ""));
  expect(String(parseExact("9007199254740993"))).toBe("9007199254740993");
});

test("texts and names that look like numbers are texts", () => {
  const text = '{"9007199254740993":"9007199254740993","a":"x,9007199254740993"}';
  expect(again(text)).toBe(text);
  expect(parseExact(text)).toHaveProperty("a", "x,9007199254740993");
  expect(parseExact('[true,null,"",{},[],1e3]')).toEqual([true, null, "", {}, [], 1000]);
});

test("a number of a million digits takes no time", () => {
  const text = `1${"0".repeat(1_000_000)}1`;
  expect(String(one(`0.${text}`))).toBe(`0.${text}`);
  expect(String(one(text))).toBe(text);
});

test("the same digits are the same object", () => {
  expect(one("9007199254740993")).toBe(one("9007199254740993"));
  expect(one("9007199254740993")).not.toBe(one("9007199254740995"));
});

test("where a browser does not tell how a number was written, it is a double", () => {
  const { parse } = JSON;
  vi.spyOn(JSON, "parse").mockImplementation((text, reviver) =>
    parse(text, reviver && ((key, value) => reviver.call({}, key, value))),
  );
  expect(again("[9007199254740993,1]")).toBe("[9007199254740992,1]");
  vi.restoreAllMocks();
});

test("it is a number without values of its own", () => {
  const exact = new ExactNumber("9007199254740993");
  expect([exact, 1, {}, [], null, "1"].map(isBranch)).toEqual([false, false, true, true, false, false]);
  expect([exact, 1, {}, [], null, "1"].map(isNumber)).toEqual([true, true, false, false, false, false]);
});
