import { expect, test } from "vitest";
import { emptyWords } from "./empty-words.ts";

test("without a search an empty list says which status nothing has", () => {
  expect(emptyWords({ status: "unresolved", words: "" }).title).toBe("No unresolved issues");
  expect(emptyWords({ status: "ignored", words: "" }).title).toBe("No ignored issues");
});

test("a search that finds nothing is to be changed, whatever the status", () => {
  for (const status of ["unresolved", "all"] as const)
    expect(emptyWords({ status, words: "cart" }).hint).toContain("fewer words");
});
