import { expect, test } from "vitest";
import { exception } from "../samples.ts";
import { chain } from "./frames.ts";
import { mechanismWords, rawStack } from "./raw.ts";

test.each([
  [{ type: "onerror", handled: false }, "Uncaught error"],
  [{ type: "onunhandledrejection", handled: null }, "Unhandled promise rejection"],
  [{ type: "logging", handled: true }, "Handled (logging)"],
  [{ type: "django", handled: false }, "Unhandled (django)"],
  [{ type: null, handled: true }, "Handled"],
  [{ type: "toString", handled: null }, "toString"],
  [{ type: null, handled: null }, undefined],
  [null, undefined],
])("the mechanism %o is told as %s", (mechanism, words) => {
  expect(mechanismWords(mechanism)).toBe(words);
});

test("raw text has the causes below, as engines print them", () => {
  const cause = exception({ stack: "RangeError: deeper\n  at b" });
  expect(rawStack(chain(exception({ stack: "TypeError: top\n  at a", cause })))).toBe(
    "TypeError: top\n  at a\n\nCaused by: RangeError: deeper\n  at b",
  );
  expect(rawStack([exception()])).toBe("");
});
