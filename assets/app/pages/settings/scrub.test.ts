import { expect, test } from "vitest";
import { distinct, nameProblem, whole } from "./scrub.ts";

const bounds = { names: 3, chars: 8 };

test("equivalent names are kept once", () => {
  expect(distinct(["X-Session", " xsession ", "x_session", "other", ""])).toEqual(["X-Session", "other"]);
});

test("names that the server would refuse are reported", () => {
  expect(nameProblem(["a", "b", "c"], bounds)).toBeUndefined();
  expect(nameProblem(["a", "b", "c", "d"], bounds)).toContain("3");
  expect(nameProblem(["123456789"], bounds)).toContain("8 characters");
  expect(nameProblem(["---"], bounds)).toContain("letter");
  expect(nameProblem(["größe"], bounds)).toBeUndefined();
});

test("missing settings have defaults", () => {
  expect(whole(undefined)).toEqual(whole({ secret_names: true, keys: [] }));
});
