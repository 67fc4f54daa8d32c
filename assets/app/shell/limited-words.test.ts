import { expect, test } from "vitest";
import { limitedWords } from "./limited-words.ts";

test("requests that are refused are told of with the limit, if it is known", () => {
  expect(limitedWords(1_000)).toBe("You send requests faster than this server allows (1,000 an hour).");
  expect(limitedWords(undefined)).toBe("You send requests faster than this server allows.");
});
