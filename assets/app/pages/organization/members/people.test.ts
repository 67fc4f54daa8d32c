import { expect, test } from "vitest";
import { nameOf, whyNot } from "./people.ts";

test("people without a name are shown by their e-mail address", () => {
  expect(nameOf({ name: " ", email: "ada@example.com" })).toBe("ada@example.com");
});

test("an admin can change admins and members but not the owner, and a member nobody", () => {
  const admin = { id: 1, role: "admin" as const };
  expect(whyNot(admin, { id: 2, role: "member" })).toBeUndefined();
  expect(whyNot(admin, { id: 2, role: "admin" })).toBeUndefined();
  expect(whyNot(admin, { id: 2, role: "owner" })).toMatch(/owner/);
  expect(whyNot({ id: 1, role: "member" }, { id: 2, role: "member" })).toMatch(/admins/);
  expect(whyNot({ id: 1, role: "owner" }, { id: 1, role: "owner" })).toMatch(/transfer ownership/);
});
