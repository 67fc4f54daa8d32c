import { expect, test } from "vitest";
import { currentAt, lineAt } from "./registry.ts";

const places = [
  { id: "stack", top: -300 },
  { id: "breadcrumbs", top: 40 },
  { id: "logs", top: 41 },
  { id: "json", top: 900 },
];

test("the section that is read is the last one that began above the line", () => {
  expect(currentAt(places, 40)).toBe("breadcrumbs");
  expect(currentAt(places, 39)).toBe("stack");
  expect(currentAt(places, 5_000)).toBe("json");
});

test("above all sections the first is current, and without any, none", () => {
  expect(currentAt(places, -500)).toBe("stack");
  expect(currentAt([], 0)).toBeUndefined();
});

test("with two columns, the lower section is current", () => {
  expect(
    currentAt(
      [
        { id: "extra", top: 20 },
        { id: "tags", top: -80 },
      ],
      40,
    ),
  ).toBe("extra");
});

test("the line goes down with the last window of the page, to its foot", () => {
  expect(lineAt(100, { height: 800, above: 0, below: 4_000 })).toBe(100);
  expect(lineAt(100, { height: 800, above: 3_200, below: 800 })).toBe(100);
  expect(lineAt(100, { height: 800, above: 3_600, below: 400 })).toBe(450);
  expect(lineAt(100, { height: 800, above: 4_000, below: 0 })).toBe(800);
  // Beyond the foot, as phones scroll for a moment.
  expect(lineAt(100, { height: 800, above: 4_020, below: -20 })).toBe(800);
});

test("on a page that is hardly longer than the window the line begins at the top, too", () => {
  expect(lineAt(100, { height: 800, above: 0, below: 50 })).toBe(100);
  expect(lineAt(100, { height: 800, above: 50, below: 0 })).toBe(800);
  expect(lineAt(100, { height: 800, above: 0, below: 0 })).toBe(100);
});
