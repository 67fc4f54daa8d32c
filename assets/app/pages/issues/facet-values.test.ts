import { expect, test } from "vitest";
import { mergedValues, needsFacets } from "./facet-values.ts";

const seen = { first_seen: "2026-11-20T00:00:00Z", last_seen: "2026-11-20T00:00:00Z" };

test("values of several issues are one list, the most frequent first", () => {
  const os = (values: [value: string, count: number][]) => ({
    facet: "contexts.os.name",
    values: values.map(([value, count]) => ({ value, count, alias: null, ...seen })),
  });
  const user = { facet: "user", values: [{ value: "7", count: 1, alias: "ada@example.com", ...seen }] };
  const tags = [
    os([
      ["Linux", 3],
      ["macOS", 2],
    ]),
    user,
    os([["macOS", 2]]),
  ];
  expect(mergedValues(tags)).toEqual({
    "contexts.os.name": [
      { value: "macOS", about: "" },
      { value: "Linux", about: "" },
    ],
    user: [{ value: "7", about: "ada@example.com" }],
  });
});

test("values are needed for facets alone", () => {
  for (const term of ["tag.", "-contexts.os.name:", "user:a", "Account:", "has:"]) expect(needsFacets(term)).toBe(true);
  for (const term of ["", "cart", "user", "level:", "environment:", "retag.x:"]) expect(needsFacets(term)).toBe(false);
});
