import { expect, test } from "vitest";
import {
  askedWithin,
  carried,
  environmentChoices,
  isLimited,
  isLimitedPage,
  limitsOf,
  limitWords,
  rememberedSearch,
} from "./limits.ts";

test("an address has a known environment and period", () => {
  expect(limitsOf({ environment: "production", period: "7d" })).toEqual({ environment: "production", period: "7d" });
  expect(limitsOf({ environment: "", period: "8d" })).toEqual({ environment: undefined, period: undefined });
  // A name that reads as a number arrives as one.
  expect(limitsOf({ environment: 7 })).toEqual({ environment: "7", period: undefined });
  expect(isLimited(limitsOf({ period: "toString" }))).toBe(false);
  expect([isLimited({ environment: "qa" }), isLimited({ period: "24h" })]).toEqual([true, true]);
});

test("the server is asked for what is chosen alone", () => {
  expect(askedWithin(limitsOf({}))).toEqual({});
  expect(Object.keys(askedWithin(limitsOf({ period: "7d" })))).toEqual(["period"]);
  expect(askedWithin({ environment: "qa", period: "24h" })).toEqual({ environment: "qa", period: "24h" });
});

test("limits are said in words", () => {
  expect(limitWords({})).toBe("");
  expect(limitWords({ environment: "production" })).toBe("in production");
  expect(limitWords({ period: "24h" })).toBe("in the last 24 hours");
  expect(limitWords({ environment: "qa", period: "30d" })).toBe("in qa in the last 30 days");
  expect(limitWords({ environment: "a\u202eb\n c" })).toBe("in a[U+202E]b c");
  expect(limitWords({ environment: "x".repeat(200) })).toHaveLength(64);
});

test("the selected environment is a choice even if it is unknown", () => {
  const names = (known: string[], chosen?: string) => environmentChoices(known, chosen).map(({ value }) => value);
  expect(names(["production", "qa"])).toEqual(["", "production", "qa"]);
  expect(names(["production"], "gone")).toEqual(["", "gone", "production"]);
  expect(names(["production", ""], "production")).toEqual(["", "production"]);
  expect(names(["Production", "qa", "production", "QA", "Test"])).toEqual(["", "Production", "qa", "Test"]);
});

test("both go along between the pages of a project", () => {
  expect(carried("logs", { environment: "qa", period: "7d", query: "x" })).toEqual({ environment: "qa", range: "7d" });
  expect(carried("issues", { environment: "qa", range: "30d" })).toEqual({ environment: "qa", period: "30d" });
  expect(carried("issues", { range: "15m" })).toEqual({});
  expect(carried("logs", {})).toEqual({});
  expect(carried("releases", { environment: "qa", range: "7d", query: "x" })).toEqual({
    environment: "qa",
    period: "7d",
  });
  expect(carried("replays", { environment: "qa", range: "7d" })).toEqual({ environment: "qa", period: "7d" });
  expect(["issues", "releases", "settings", "toString"].filter(isLimitedPage)).toEqual(["issues", "releases"]);
});

test("pages without limits keep those of the project that their links lead to", () => {
  const qa = { environment: "qa", period: "7d" };
  expect(rememberedSearch("/projects/1/settings/alerts", {}, 1)).toEqual({});
  expect(rememberedSearch("/projects/1/issues", qa, 1)).toBe(qa);
  for (const path of ["/projects/1/settings/alerts", "/account/sessions", "/organizations/4/runners"])
    expect(rememberedSearch(path, {}, 1), path).toBe(qa);
  // An organization's page may show one of its projects, and an account's no project at all.
  expect(rememberedSearch("/organizations/4/runners", {}, 2)).toEqual({});
  expect(rememberedSearch("/account/sessions", {}, undefined)).toEqual({});
  expect(rememberedSearch("/projects/2/settings", {}, 2)).toEqual({});
  expect(rememberedSearch("/projects/12/settings", {}, 12)).toEqual({});
  // The address is there before the page.
  expect(rememberedSearch("/projects/2/logs", { environment: "dev" }, 1)).toBe(qa);
  expect(rememberedSearch("/projects/1/issues", qa, 1)).toBe(qa);
  expect(rememberedSearch("/account", {}, 2)).toEqual({ environment: "dev" });
  // Taken back on a page that has them.
  expect(rememberedSearch("/projects/1/logs", {}, 1)).toEqual({});
  expect(rememberedSearch("/projects/1/settings", {}, 1)).toEqual({});
});

test("a page within a list takes nothing back, and may say its own", () => {
  const qa = { environment: "qa" };
  expect(rememberedSearch("/projects/1/issues", qa, 1)).toBe(qa);
  for (const path of ["issues/5", "replays/x", "releases/1.0", "releases/1.0/compare"])
    expect(rememberedSearch(`/projects/1/${path}`, { with: "2.0" }, 1), path).toBe(qa);
  expect(rememberedSearch("/projects/3/issues/5", {}, 3)).toEqual({});
  expect(rememberedSearch("/account/sessions", {}, 1)).toBe(qa);
  const week = { period: "7d" };
  expect(rememberedSearch("/projects/1/releases/1.0", week, 1)).toBe(week);
  expect(rememberedSearch("/projects/1/settings", {}, 1)).toBe(week);
  expect(rememberedSearch("/projects/1/issues/", {}, 1)).toEqual({});
});
