import { expect, test } from "vitest";
import { Kept } from "./use-kept.ts";

test("each page has its own values", () => {
  const kept = new Kept();
  kept.set("a", "extra", true);
  kept.set("b", "extra", false);
  kept.set("a", "contexts", 200);
  expect([kept.get("a", "extra"), kept.get("b", "extra"), kept.get("a", "contexts")]).toEqual([true, false, 200]);
  expect([kept.get("b", "contexts"), kept.get("c", "extra")]).toEqual([undefined, undefined]);
});

test("fifty pages are kept, those that were used last", () => {
  const kept = new Kept();
  for (let page = 0; page < 50; page += 1) kept.set(`${page}`, "open", page);
  kept.set("0", "open", 100);
  kept.set("50", "open", 50);
  expect(["0", "1", "2", "50"].map((page) => kept.get(page, "open"))).toEqual([100, undefined, 2, 50]);
});

test("a page keeps a thousand values, the first ones, which may change", () => {
  const kept = new Kept();
  for (let name = 0; name <= 1_000; name += 1) kept.set("a", `${name}`, name);
  kept.set("a", "0", "again");
  expect([kept.get("a", "0"), kept.get("a", "999"), kept.get("a", "1000")]).toEqual(["again", 999, undefined]);
});
