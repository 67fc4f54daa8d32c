import { expect, test } from "vitest";
import { ApiError } from "../../api/error.ts";
import { fieldProblem, helpers, refusal } from "./who.ts";

const person = (name: string, role: "owner" | "admin" | "member") => ({ name, email: `${name}@example.com`, role });

test("owners come first, members are not asked, and the list ends", () => {
  expect(helpers([])).toBe("one of them");
  expect(helpers([person("Ada", "owner")])).toBe("Ada");
  expect(helpers([person("Bo", "admin"), person("Cy", "member"), person("Ada", "owner")])).toBe("Ada or Bo");
  expect(helpers(["a", "b", "c", "d"].map((name) => person(name, "admin")))).toBe("a, b, c or others");
  expect(helpers([person("", "owner")])).toBe("@example.com");
});

test("a refusal stands beside its field", () => {
  const fields = ["name", "settings.scrubbing.keys"];
  expect(fieldProblem(new ApiError(422, "name: expected 1 to 128 characters"), fields)).toEqual({
    field: "name",
    words: "Expected 1 to 128 characters",
  });
  expect(fieldProblem(new ApiError(422, "settings.scrubbing.keys[3]: too long"), fields)?.field).toBe(
    "settings.scrubbing.keys",
  );
  expect(fieldProblem(new ApiError(422, "names: x"), fields)).toBeUndefined();
  expect(fieldProblem(new ApiError(500, "name: x"), fields)).toBeUndefined();
  expect(fieldProblem(new Error("name: x"), fields)).toBeUndefined();
});

test("who is not allowed learns who is", () => {
  expect(refusal(new ApiError(403, "No"), [person("Ada", "owner")])).toContain("ask Ada");
  expect(refusal(new ApiError(500, "No"), [person("Ada", "owner")])).toBe("No");
});
