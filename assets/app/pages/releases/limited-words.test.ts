import { expect, test } from "vitest";
import { atAnyTime, comparisonWords, noneWords, releaseWords, there } from "./limited-words.ts";

test("an environment is added to words, where there is one", () => {
  expect(`Events${there(undefined)}`).toBe("Events");
  expect(`Events${there("production")}`).toBe("Events in production");
  expect(`Events${there("a\u202eb")}`).toBe("Events in a[U+202E]b");
});

test("a release and a comparison say of which environment their figures are, and that the period does not count", () => {
  for (const words of [releaseWords, comparisonWords]) {
    expect(words({})).toBeUndefined();
    expect(words({ period: "7d" })).toBe("This page shows what happened in all environments and at all times.");
    expect(words({ environment: "qa" })).toMatch(/ in qa[.:]/);
    expect(words({ environment: "qa", period: "7d" })).toMatch(/ in qa, at any time[.:]/);
  }
  expect(releaseWords({ environment: "qa" })).toContain(
    "New and regressed issues and unresolved frames are those of all",
  );
});

test("empty lists of a comparison say where they looked", () => {
  const names = { release: "2.0", base: "1.0" };
  expect(noneWords(names, undefined)).toEqual({
    new: "No issue was first seen in 2.0.",
    regressed: "No issue regressed.",
    gone: "All issues of 1.0 have events in it.",
  });
  expect(noneWords(names, "qa")).toEqual({
    new: "No issue that was first seen in 2.0 has events of it in qa.",
    regressed: "No issue that regressed in 2.0 has events of it in qa.",
    gone: "All issues of 1.0 in qa have events in it there.",
  });
});

test("a link to all issues of a comparison keeps the environment, and no period", () => {
  expect(atAnyTime({ environment: "qa", period: "7d" })).toEqual({ environment: "qa" });
  expect(atAnyTime({})).toEqual({});
});
