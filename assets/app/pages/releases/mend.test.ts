import { expect, test } from "vitest";
import { mendOf, prefixFor, ruleWords } from "./mend.ts";

const release = { version: "1.4.2", url_prefix: "~/", finalized_at: null };
const origin = "https://mayday.example";

test("a missing map is mended by uploading it under the address that was looked for", () => {
  const { command } = mendOf({ rule: "url", url: "https://shop.example/assets/cart.min.js?v=2" }, release, origin);
  expect(command).toContain("-F release=1.4.2");
  expect(command).toContain("-F 'url=~/assets/cart.min.js'");
  expect(command).toContain("sourcemap=@dist/cart.min.js.map");
});

test("a finalized release cannot take another map of the same script", () => {
  const frame = { rule: "position" as const, url: "https://shop.example/cart.js" };
  expect(mendOf(frame, release, origin).command).toContain("release=1.4.2");
  expect(mendOf(frame, { ...release, finalized_at: "2026-11-21T00:00:00Z" }, origin).command).not.toContain("1.4.2");
});

test("a prefix that does not fit is mended by a release with another", () => {
  const { command, words } = mendOf(
    { rule: "prefix", url: "https://cdn.example/a.js" },
    { ...release, url_prefix: "https://shop.example/" },
    origin,
  );
  expect(command).toContain("'url_prefix=~/'");
  expect(words).toContain("https://shop.example/");
  expect([prefixFor("/srv/a.js"), prefixFor("a.js")]).toEqual(["~/", ""]);
});

test("every rule has words", () => {
  expect(Object.values(ruleWords).every((words) => words !== "")).toBe(true);
});
