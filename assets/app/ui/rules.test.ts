import { expect, test } from "vitest";
import { emailProblem, found, nameProblem, passwordProblem } from "./rules.ts";

test("a password counts in characters, not in UTF-16 units", () => {
  expect(passwordProblem("🔑".repeat(12))).toBeUndefined();
  expect(passwordProblem("🔑".repeat(11))).toContain("this has 11");
  expect(passwordProblem("p".repeat(257))).toContain("this has 257");
});

test("an address has text on both sides of one @", () => {
  expect(emailProblem("ada@example.com")).toBeUndefined();
  for (const text of ["", "ada", "@example.com", "ada@", "a b@example.com", "a@b@c"])
    expect(emailProblem(text), text).toBeDefined();
});

test("only fields with a problem are listed", () => {
  expect(found({ name: nameProblem("n".repeat(129)), email: undefined })).toEqual({
    name: "Use at most 128 characters; this has 129.",
  });
});
