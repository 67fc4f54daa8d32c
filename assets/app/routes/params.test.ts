import { isNotFound } from "@tanstack/react-router";
import { expect, test } from "vitest";
import { numberParam, sectionParam } from "./params.ts";

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

test("an id in a path is a whole number, and anything else has no page", () => {
  const { parse, stringify } = numberParam("issueId");
  expect(parse({ issueId: "42" })).toEqual({ issueId: 42 });
  expect(stringify({ issueId: 42 })).toEqual({ issueId: "42" });
  for (const issueId of ["", "x", "4.2", "-4", "1e3", "9".repeat(16)])
    expect(isNotFound(thrownBy(() => parse({ issueId }))), issueId).toBe(true);
});

test("a section must be one of the known ones", () => {
  const { parse } = sectionParam(["keys", "limits"]);
  expect(parse({ section: "keys" })).toEqual({ section: "keys" });
  expect(isNotFound(thrownBy(() => parse({ section: "constructor" })))).toBe(true);
});
