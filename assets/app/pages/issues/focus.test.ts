import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { focusList } from "./focus.ts";

/** The row that got the focus. */
let focused: number | undefined;

/** Rows of 50 pixels in a window of 400, the first with its top at `top`. */
function focusAmong(top: number, cursor?: number, padding = "auto"): number | undefined {
  const rows = Array.from({ length: 12 }, (_, at) => ({
    dataset: at === cursor ? { cursor: "" } : {},
    getBoundingClientRect: () => ({ top: top + at * 50, bottom: top + at * 50 + 50 }),
    querySelector: () => ({
      focus: () => {
        focused = at;
      },
    }),
  }));
  vi.stubGlobal("document", { querySelectorAll: () => rows });
  vi.stubGlobal("getComputedStyle", () => ({ fontSize: "16px", scrollPaddingTop: padding }));
  focusList();
  return focused;
}

beforeEach(() => {
  focused = undefined;
  vi.stubGlobal("innerHeight", 400);
});
afterEach(() => vi.unstubAllGlobals());

test("the row at the cursor gets the focus while it is in sight", () => {
  expect(focusAmong(100, 3)).toBe(3);
});

test("the first row in sight gets it where the cursor is not", () => {
  expect(focusAmong(-160, 1)).toBe(4);
  expect(focusAmong(100, 11)).toBe(0);
  expect(focusAmong(100)).toBe(0);
});

test("rows beneath what sticks to the top are not in sight", () => {
  expect(focusAmong(60, 0, "96px")).toBe(1);
  expect(focusAmong(95.5, 0, "96px")).toBe(0);
});
