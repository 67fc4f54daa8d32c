import { expect, test } from "vitest";
import { versionNote } from "./version.ts";

test("a recording that another major version has made is shown with a warning", () => {
  const words = "Recorded with rrweb 1.1.3, shown with 2.1.6: what you see may differ from what was on the page.";
  expect(versionNote("1.1.3", "2.1.6")).toBe(words);
  expect(versionNote("3.0.0-alpha.1", "2.1.6")).toContain("rrweb 3.0.0-alpha.1, shown with 2.1.6");
  expect(versionNote("20.0.0", "2.1.6")).toBeDefined();
});

test("the same or an unknown major version needs no note", () => {
  for (const version of ["2.1.6", "2.0.0-alpha.20", "2", "v2.9", null, undefined, "", "latest"])
    expect(versionNote(version, "2.1.6")).toBeUndefined();
});
