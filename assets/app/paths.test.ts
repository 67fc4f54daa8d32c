import { expect, test } from "vitest";
import { routeOf, setupTokenIn } from "./paths.ts";

test("addresses name their pages, with or without a trailing slash", () => {
  expect(routeOf("/")).toEqual({ page: "home" });
  expect(routeOf("/setup")).toEqual({ page: "setup" });
  expect(routeOf("/setup/")).toEqual({ page: "setup" });
});

test("any other address is unknown and keeps its path as it was", () => {
  expect(routeOf("/some/unknown/path")).toEqual({ page: "unknown", path: "/some/unknown/path" });
  expect(routeOf("/setup/more")).toEqual({ page: "unknown", path: "/setup/more" });
  expect(routeOf("/SETUP")).toEqual({ page: "unknown", path: "/SETUP" });
});

test("the setup token is read from the fragment and nothing else is", () => {
  expect(setupTokenIn("#token=0123-4567")).toBe("0123-4567");
  expect(setupTokenIn("#token=%200123-4567%0A")).toBe("0123-4567");
  expect(setupTokenIn("#other=1")).toBe("");
  expect(setupTokenIn("")).toBe("");
});
