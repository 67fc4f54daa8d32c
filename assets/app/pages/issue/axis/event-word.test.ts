import { expect, test } from "vitest";
import { eventWord } from "./event-word.ts";

test("a message is called an error only if its level says so", () => {
  expect(eventWord("fatal")).toBe("error");
  expect(eventWord("error")).toBe("error");
  for (const level of ["warning", "info", "debug"] as const) expect(eventWord(level)).toBe("event");
});
