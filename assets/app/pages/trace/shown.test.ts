import { expect, test } from "vitest";
import { type Part, shownOf } from "./shown.ts";

const pending: Part = { isPending: true, isError: false, count: undefined };
const failed: Part = { isPending: false, isError: true, count: undefined };
const has = (count: number, isError = false): Part => ({ isPending: false, isError, count });

test("where the errors alone or the logs alone could not be loaded, the others are shown below that", () => {
  expect(shownOf({ errors: failed, logs: has(2) })).toEqual({ failed: ["errors"], body: "trace" });
  expect(shownOf({ errors: has(2), logs: failed })).toEqual({ failed: ["logs"], body: "trace" });
  expect(shownOf({ errors: has(1), logs: has(0) })).toEqual({ failed: [], body: "trace" });
});

test("nothing is said to have the trace only where both were loaded", () => {
  expect(shownOf({ errors: has(0), logs: has(0) })).toEqual({ failed: [], body: "empty" });
  expect(shownOf({ errors: failed, logs: has(0) })).toEqual({ failed: ["errors"], body: undefined });
  expect(shownOf({ errors: has(0), logs: failed })).toEqual({ failed: ["logs"], body: undefined });
  expect(shownOf({ errors: failed, logs: failed })).toEqual({ failed: ["errors", "logs"], body: undefined });
});

test("what failed is told while the other is being loaded", () => {
  expect(shownOf({ errors: failed, logs: pending })).toEqual({ failed: ["errors"], body: "loading" });
  expect(shownOf({ errors: pending, logs: has(1) })).toEqual({ failed: [], body: "loading" });
});

test("what was loaded before stays when it cannot be loaded again", () => {
  expect(shownOf({ errors: has(2, true), logs: failed })).toEqual({ failed: ["logs"], body: "trace" });
});
