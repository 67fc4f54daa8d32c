import { expect, test } from "vitest";
import { currentAt } from "./registry.ts";

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
