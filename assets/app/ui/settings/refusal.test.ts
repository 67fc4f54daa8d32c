import { expect, test } from "vitest";
import { ApiError } from "../../api/error.ts";
import { helpers, refusal } from "./refusal.ts";

const person = (name: string, role: "owner" | "admin" | "member") => ({ name, email: `${name}@example.com`, role });

test("owners are named first, members are not, and the list is limited", () => {
  expect(helpers([])).toBe("one of them");
  expect(helpers([person("Ada", "owner")])).toBe("Ada");
  expect(helpers([person("Bo", "admin"), person("Cy", "member"), person("Ada", "owner")])).toBe("Ada or Bo");
  expect(helpers(["a", "b", "c", "d"].map((name) => person(name, "admin")))).toBe("a, b, c or others");
  expect(helpers([person("", "owner")])).toBe("@example.com");
});

test("a refused person learns who can help", () => {
  expect(refusal(new ApiError(403, "No"), [person("Ada", "owner")])).toContain("ask Ada");
  expect(refusal(new ApiError(500, "No"), [person("Ada", "owner")])).toBe("No");
});
