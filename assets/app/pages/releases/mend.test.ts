import { expect, test } from "vitest";
import { mendOf, ruleWords } from "./mend.ts";

const release = { version: "1.4.2", url_prefix: "~/", finalized_at: null };

test("a missing map is mended by the command that uploads all maps of a build", () => {
  expect(mendOf({ rule: "url" }, release).command).toBe("mayday sourcemaps upload --release 1.4.2 dist/");
  expect(mendOf({ rule: "url" }, { ...release, url_prefix: "~/static/" }).command).toBe(
    "mayday sourcemaps upload --release 1.4.2 --url-prefix '~/static/' dist/",
  );
  expect(mendOf({ rule: "url" }, { ...release, version: "web 2; rm" }).command).toContain("--release 'web 2; rm' ");
  expect(mendOf({ rule: "url" }, { ...release, version: "-1" }).command).toContain("--release='-1' ");
  expect(mendOf({ rule: "url" }, { ...release, version: "1\u202e" }).command).toBeUndefined();
});

test("a finalized release cannot take another map of the same script", () => {
  expect(mendOf({ rule: "position" }, release).command).toContain("--release 1.4.2");
  expect(mendOf({ rule: "position" }, { ...release, finalized_at: "2026-11-21T00:00:00Z" }).command).toBe(
    "mayday sourcemaps upload --release NEXT_VERSION dist/",
  );
});

test("a prefix that does not fit is told, and checked against the build", () => {
  const { command, words } = mendOf({ rule: "prefix" }, { ...release, url_prefix: "https://shop.example/" });
  expect(command).toBe("mayday releases check --release 1.4.2 dist/");
  expect(words).toContain("https://shop.example/");
});

test("every rule has words", () => {
  expect(Object.values(ruleWords).every((words) => words !== "")).toBe(true);
});
