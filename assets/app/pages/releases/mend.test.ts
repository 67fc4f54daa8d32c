import { expect, test } from "vitest";
import { deleteWords, isForNext, mendWords, ruleWords } from "./mend.ts";

const release = { url_prefix: "~/", finalized_at: null };

test("a finalized release cannot get another map of the same script", () => {
  expect(mendWords("position", release, null)).toContain("it replaces the stored one");
  const finalized = { ...release, finalized_at: "2026-11-21T00:00:00Z" };
  expect(mendWords("position", finalized, null)).toContain("cannot be replaced");
});

test("a mismatched prefix is reported", () => {
  const words = (url_prefix: string) => mendWords("prefix", { ...release, url_prefix }, null);
  expect(words("https://shop.example/")).toContain("(this one’s: `https://shop.example/`)");
  expect(words("")).toContain("(this one’s: none)");
});

test("a command that deletes the release says so, and nothing is then said of the next one", () => {
  const command = (rest: string) => `mayday releases delete 1.0 && mayday sourcemaps upload --release 1.0 ${rest}dist/`;
  for (const [rest, under] of [
    ["--url-prefix '~/static/' ", "under `~/static/`"],
    ["--url-prefix=-/ ", "under `-/`"],
    ["--url-prefix '~/it'\\''s/' ", "under `~/it's/`"],
    ["--url-prefix '' ", "without a prefix"],
    ["", "or else `~/`"],
  ] as const) {
    const words = mendWords("prefix", release, command(rest));
    expect(words).toMatch(/^A release’s prefix cannot be changed: this deletes the release with its source maps/);
    expect(words.endsWith(`${under}.`), words).toBe(true);
    expect(isForNext("prefix", command(rest))).toBe(false);
  }
});

test("other commands delete nothing", () => {
  const check = "mayday releases check --release 1.0 dist/";
  const inject = "mayday sourcemaps inject dist/ && mayday sourcemaps upload --release 1.0 dist/";
  for (const command of [null, check, inject]) expect(deleteWords(command)).toBe(undefined);
  expect(mendWords("prefix", release, check)).toContain("Give the next release one");
  expect(mendWords("prefix", release, inject)).toContain("Upload its source map");
  expect(isForNext("url", null)).toBe(false);
});

test("every rule has a text", () => {
  expect(Object.values(ruleWords).every((words) => words !== "")).toBe(true);
});

test("a release that only events name lacks source maps, and an upload creates it", () => {
  expect(ruleWords.release).toBe("No source maps: only events name this release");
  expect(mendWords("release", { url_prefix: null, finalized_at: null }, null)).toContain(
    "The upload also creates the release",
  );
});
