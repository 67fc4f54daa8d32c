import { expect, test } from "vitest";
import { bytesOf, countWords } from "./kinds.ts";

test("countable kinds have a unit, and others no count", () => {
  expect(countWords({ kind: "logs", count: 12_345, bytes: 1 })).toBe("12,345 entries");
  expect(countWords({ kind: "events", count: 1, bytes: 1 })).toBe("1 event");
  expect(countWords({ kind: "journal", count: 0, bytes: 1 })).toBe("");
});

test("a missing kind counts as empty", () => {
  expect(bytesOf([{ kind: "logs", count: 1, bytes: 7 }], "logs")).toBe(7);
  expect(bytesOf([], "logs")).toBe(0);
});
