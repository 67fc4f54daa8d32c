import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import openapi from "../../api/openapi.json" with { type: "json" };
import type { FacetUsage, Limits } from "../../api/schema.d.ts";
import { amount, duration, fullWords, groups, sectionsOf, sharesOf } from "./limit-words.ts";

test("bounds have the unit of their name", () => {
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

test("every limit of the server is documented or on the page, and there are no others", () => {
  const schemas = openapi.components.schemas as unknown as Record<string, { properties?: object }>;
  const properties = (name: string) =>
    (schemas[name]?.properties ?? {}) as Record<string, { $ref?: string; type?: string | string[] }>;
  const isText = (type: string | string[] = []) => [type].flat().includes("string");
  const told = Object.entries(properties("Limits")).flatMap(([group, { $ref = "" }]) =>
    Object.entries(properties($ref.split("/").at(-1) ?? ""))
      .filter(([, { type }]) => !isText(type))
      .map(([name]) => `${group}.${name}`),
  );
  const docs = readFileSync(new URL("../../../../docs/limits.md", import.meta.url), "utf8");
  const documented = [...docs.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, name]) => name);
  const shown = Object.entries(groups).flatMap(([group, { words }]) =>
    Object.keys(words).map((name) => `${group}.${name}`),
  );
  expect([...new Set([...documented, ...shown])].toSorted()).toEqual(told.toSorted());
});

test("a rate that is not set has no row", () => {
  const limits = { rate: { events_per_second: 5, logs_per_second: null }, disk: {}, event: {}, release: {} };
  expect(sectionsOf(limits as unknown as Limits).map(({ name, rows }) => [name, rows.length])).toEqual([["rate", 1]]);
});

test("the facets that are full are named", () => {
  const issue = { project_values: 100_000, project_tags: 10_000, project_tag_values: 1_000_000 };
  const shares = (facets?: FacetUsage) => sharesOf(facets, { issue } as unknown as Limits);
  const words = (environments: number, releases: number, tags: number, tag_values: number, ...full_tags: string[]) =>
    fullWords(shares({ environments, releases, tags, tag_values, full_tags }), full_tags);
  expect(words(12, 99_999, 9_999, 999_999)).toBeUndefined();
  expect(words(100_000, 3, 4, 5)).toBe("environments");
  expect(words(1, 100_001, 10_000, 1_000_000)).toBe("releases, tags, tag values");
  expect(words(1, 2, 3, 100_004, "order"), "of one tag").toBe("values of the tag `order`");
  expect(words(100_000, 2, 3, 200_004, "cart", "order")).toBe("environments, values of the tags `cart`, `order`");
  expect(fullWords(shares()), "not known yet").toBeUndefined();
});
