import { expect, test } from "vitest";
import openapi from "../../api/openapi.json" with { type: "json" };
import { amount, duration, groups, sectionsOf } from "./limit-words.ts";

test("bounds carry the unit that their name says", () => {
  expect([
    amount("bytes", 1 << 20),
    amount("url_chars", 2048),
    amount("frames", 250),
    amount("past_milliseconds", 2_592_000_000),
  ]).toEqual(["1 MiB", "2,048 characters", "250", "30 days"]);
  expect([duration(3_600_000), duration(1_500), duration(0), duration(90_000)]).toEqual([
    "1 hour",
    "1,500 ms",
    "0 ms",
    "90 seconds",
  ]);
});

test("every bound of the server has words, and there are no others", () => {
  const schemas = openapi.components.schemas as unknown as Record<string, { properties?: object }>;
  const properties = (name: string) =>
    (schemas[name]?.properties ?? {}) as Record<string, { $ref?: string; type?: string | string[] }>;
  const isText = (type: string | string[] = []) => [type].flat().includes("string");
  const told = Object.entries(properties("Limits")).flatMap(([group, { $ref = "" }]) =>
    Object.entries(properties($ref.split("/").at(-1) ?? ""))
      .filter(([, { type }]) => !isText(type))
      .map(([name]) => `${group}.${name}`),
  );
  const worded = Object.entries(groups).flatMap(([group, { words }]) =>
    Object.keys(words).map((name) => `${group}.${name}`),
  );
  expect(worded.toSorted()).toEqual(told.toSorted());
});

test("what is not known here is shown as it is called", () => {
  const [event, odd] = sectionsOf({
    brand_new: { big_bytes: 5 },
    event: { bytes: 1, later_chars: 2 },
    version: 3,
    nothing: null,
  });
  expect(event?.rows.map(({ what }) => what)).toEqual(["Event, uncompressed", "later"]);
  expect(odd).toMatchObject({ title: "brand new", rows: [{ what: "big", value: 5, over: "" }] });
});

test("what happens above a bound is told of the event, which says nothing itself", () => {
  const over = Object.values(groups).flatMap(({ words }) =>
    Object.values<{ over: string }>(words).map(({ over }) => over),
  );
  expect(over.filter((words) => words.includes("the event says so"))).toEqual([]);
});
