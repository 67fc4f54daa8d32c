import { expect, test } from "vitest";
import { fieldGroups, isListed, labelOf } from "./field-order.ts";

test("built-in fields come first, and attributes in natural order", () => {
  const names = ["attributes.a10", "attributes.a2", "attributes.Z", "trace", "environment", "level", "other"];
  expect(fieldGroups(names)).toEqual([
    { title: "Built-in", names: ["level", "environment", "trace", "other"] },
    { title: "Attributes", names: ["attributes.a2", "attributes.a10", "attributes.Z"] },
  ]);
});

test("a group without fields is left out", () => {
  expect(fieldGroups(["attributes.a"]).map(({ title }) => title)).toEqual(["Attributes"]);
  expect(fieldGroups([])).toEqual([]);
});

test("attributes are named without what their heading says", () => {
  expect(["attributes.a.b", "attributes.", "level", "my attributes.a"].map(labelOf)).toEqual([
    "a.b",
    "attributes.",
    "level",
    "my attributes.a",
  ]);
});

test("template, whose values are hashes, is listed only while it is chosen", () => {
  expect(isListed("template", undefined)).toBe(false);
  expect(isListed("template", "level")).toBe(false);
  expect(isListed("template", "template")).toBe(true);
  expect(isListed("attributes.template", undefined)).toBe(true);
});
