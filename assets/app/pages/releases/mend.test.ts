import { expect, test } from "vitest";
import { mendWords, ruleWords } from "./mend.ts";

const release = { url_prefix: "~/", finalized_at: null };

test("a finalized release cannot get another map of the same script", () => {
  expect(mendWords("position", release)).toContain("it replaces the stored one");
  expect(mendWords("position", { ...release, finalized_at: "2026-11-21T00:00:00Z" })).toContain("cannot be replaced");
});

test("a mismatched prefix is reported", () => {
  expect(mendWords("prefix", { ...release, url_prefix: "https://shop.example/" })).toContain("https://shop.example/");
  expect(mendWords("prefix", { ...release, url_prefix: "" })).toContain("(this one's: none)");
});

test("every rule has a text", () => {
  expect(Object.values(ruleWords).every((words) => words !== "")).toBe(true);
});

test("a release that only events name lacks source maps, and an upload creates it", () => {
  expect(ruleWords.release).toBe("No source maps: only events name this release");
  expect(mendWords("release", { url_prefix: null, finalized_at: null })).toContain(
    "The upload also creates the release",
  );
});
