import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contextFacet, contextFacets } from "./contexts.ts";

test("the properties are those that the server counts", () => {
  const code = readFileSync(new URL("../../../src/event/facets.rs", import.meta.url), "utf8");
  const counted = [...code.matchAll(/^ {4}"(contexts\.[a-z_.]+)",$/gm)].map(([, name]) => name);
  expect([...contextFacets]).toEqual(counted);
});

test("a counted text of a context has a name, and nothing else has", () => {
  expect(contextFacet(["os", "name"], "Linux")).toBe("contexts.os.name");
  expect(contextFacet(["os", "name"], "é".repeat(200))).toBe("contexts.os.name");
  expect(contextFacet(["os", "name"], "é".repeat(201))).toBeUndefined();
  for (const value of ["", 12, null, true]) expect(contextFacet(["os", "version"], value)).toBeUndefined();
  expect(contextFacet(["os", "build"], "22H2")).toBeUndefined();
  expect(contextFacet(["os.name"], "Linux"), "one name with a dot").toBeUndefined();
  expect(contextFacet(["os"], "name")).toBeUndefined();
});
