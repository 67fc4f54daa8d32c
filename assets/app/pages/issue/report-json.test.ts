import { expect, test } from "vitest";
import { parseExact } from "../../api/exact-json.ts";
import { cutJson } from "./report-json.ts";

const most = 8_000;
/** Written within the room, and read again. */
function written(value: object, tell = (text: string) => text): [text: string, read: Record<string, unknown>] {
  const text = cutJson(value, most, tell);
  expect(text.length).toBeLessThanOrEqual(most);
  return [text, JSON.parse(text) as Record<string, unknown>];
}

test("what has room is written as a whole", () => {
  const value = { a: 1, list: [1, [], {}, "x", null, true], "": { deep: { "…": '\u2028\n"' } }, empty: "" };
  expect(cutJson(value, most, (text) => text)).toBe(JSON.stringify(value, undefined, 2));
  expect(cutJson({}, most, (text) => text)).toBe("{}");
  expect(cutJson([], most, (text) => text)).toBe("[]");
  const exact = { n: Array.from({ length: 300 }, (_, at) => at), k: { text: "y".repeat(100) } };
  const size = JSON.stringify(exact, undefined, 2).length;
  expect(cutJson(exact, size, (text) => text)).toBe(JSON.stringify(exact, undefined, 2));
  expect(JSON.parse(cutJson(exact, size - 1, (text) => text))).not.toEqual(exact);
});

test("a long list leaves room for what comes after it", () => {
  const list = Array.from({ length: 100_000 }, (_, at) => ({ at, text: "some words" }));
  const [text, read] = written({ before: "x", list, after: "the last", more: { a: [1, 2] } });
  expect(read).toMatchObject({ before: "x", after: "the last", more: { a: [1, 2] } });
  const items = read.list as unknown[];
  expect(items[0]).toEqual({ at: 0, text: "some words" });
  expect(items.at(-1)).toBe(`… ${(100_000 - items.length + 1).toLocaleString("en")} more`);
  expect(text.length).toBeGreaterThan(most - 200);
});

test("large values share what small ones do not use", () => {
  const [, read] = written({ one: "x".repeat(50_000), small: "s".repeat(100), two: "y".repeat(3_000) });
  expect(read.small).toHaveLength(100);
  expect(read.two).toHaveLength(3_000);
  expect(read.one).toMatch(/^x{4500,}… \(45,\d{3} more characters\)$/);
  const both = written({ one: "x".repeat(50_000), two: "y".repeat(50_000) })[1] as Record<string, string>;
  expect(Math.abs((both.one?.length ?? 0) - (both.two?.length ?? 0))).toBeLessThan(5);
});

test("every outermost key is kept while there is room for keys", () => {
  for (const value of [
    "x".repeat(1_000),
    Array.from({ length: 500 }, String),
    { deep: { deep: "x".repeat(999) } },
    7,
  ]) {
    for (const count of [1, 50, 150, 400]) {
      const many = Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, value]));
      expect(Object.keys(written(many)[1])).toEqual(Object.keys(many));
    }
  }
  const long = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${"k".repeat(500)}${at}`, "v"]));
  expect(Object.keys(written(long)[1])).toHaveLength(100);
});

test("of too many keys the first are kept, and it is said how many are not", () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, "some value"]));
  const [, read] = written({ ...many, "…": 1 });
  const kept = Object.keys(read).length - 1;
  expect(kept).toBeGreaterThan(300);
  expect(read["…"]).toBe(`${(10_001 - kept).toLocaleString("en")} more`);
  const [, clash] = written({ "…": "mine", ...many });
  expect(Object.keys(clash).at(-1)).toBe("……");
  expect(written({ inner: many, after: 1 })[1].after).toBe(1);
});

test("deep nesting is cut where its room ends", () => {
  let list: unknown = "deep";
  let map: unknown = "deep";
  for (let at = 0; at < 5_000; at += 1) {
    list = [list];
    map = { a: map, b: "x".repeat(at % 100) };
  }
  const [text, read] = written({ list, map, after: "the last" });
  expect(read.after).toBe("the last");
  expect(text).toContain('["… 1 more"]');
  expect(text).toContain('{ "…": "2 more" }');
  expect(cutJson({ list }, 100_000, (each) => each)).toContain('"… (deeper)"');
});

test("no half of a character is at a cut, and what has to be escaped has room", () => {
  for (const sign of ["😀", "\u0000", '"', "\\", "\u202e", "\ud800", "é"])
    for (let before = 0; before < 12; before += 1) {
      const [text, read] = written({ a: `${"x".repeat(before)}${sign.repeat(9_000)}` });
      expect(read.a).toMatch(/… \([\d,]+ more characters\)$/);
      if (sign === "😀") expect(text).not.toMatch(/\\ud/);
      if (sign === "😀") expect(() => encodeURIComponent(String(read.a))).not.toThrow();
    }
});

test("long keys are cut, and stay different from each other", () => {
  const key = "k".repeat(9_000);
  const [text, read] = written({ [`${key}a`]: 1, [`${key}b`]: 2, short: 3 });
  expect(Object.values(read)).toEqual([1, 2, 3]);
  expect(text).toMatch(/"k{100,}… \([\d,]+ more characters\) \(2\)": 2/);
  const told = written({ "a@b.example": 1, "[e-mail] (2)": 2, "c@d.example": 3 }, (each) =>
    each.includes("@") ? "[e-mail]" : each,
  );
  expect(told[1]).toEqual({ "[e-mail]": 1, "[e-mail] (2)": 2, "[e-mail] (3)": 3 });
  const same = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`${at}@b.example`, at]));
  written(same, (each) => (each.includes("@") ? "[e-mail]" : each));
});

test("numbers are written as they were sent, or cut as texts", () => {
  const digits = "9".repeat(20_000);
  const sent = `{"order":9007199254740993,"rate":0.12345678901234567890,"more":[-1.50e400],"huge":${digits}}`;
  const [text, read] = written(parseExact(sent) as object);
  expect(text).toContain('"order": 9007199254740993,\n  "rate": 0.12345678901234567890,\n');
  expect(text).toContain("-1.50e400");
  expect(read.huge).toMatch(/^9{7000,}… \([\d,]+ more characters\)$/);
});

test("a number of which something is left out is a text", () => {
  expect(written({ a: 1234, b: true, c: null, d: 5 }, (text) => (text === "1234" ? "[name]" : text))[1]).toEqual({
    a: "[name]",
    b: true,
    c: null,
    d: 5,
  });
});

test("each text is looked at once, whatever the shape", () => {
  const shapes: object[] = [
    { a: "x".repeat(1_000_000) },
    { a: Array.from({ length: 200_000 }, () => [["x"]]) },
    Array.from({ length: 200_000 }, () => "x"),
  ];
  for (const shape of shapes) {
    let seen = 0;
    written(shape, (text) => {
      seen += 1;
      return text;
    });
    expect(seen).toBeLessThanOrEqual(200_001);
  }
});
