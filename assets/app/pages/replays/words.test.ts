import { expect, test } from "vitest";
import { nameOf, userSearchOf } from "./words.ts";

test("a person is looked for by the name that the list shows", () => {
  const user = { id: "7", name: "Ada", email: "ada@example.com", username: "" };
  expect([userSearchOf(user), nameOf({ user: user as never, account: null })]).toEqual([
    "ada@example.com",
    "ada@example.com",
  ]);
  expect(userSearchOf({ id: 7, email: null })).toBe("7");
  expect([userSearchOf(null), userSearchOf({}), userSearchOf({ ip_address: "::1" })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(nameOf({ user: {}, account: { name: "Shop" } as never })).toBe("Shop");
});
