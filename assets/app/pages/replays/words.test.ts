import { expect, test } from "vitest";
import { nameOf, originOf, userSearchOf } from "./words.ts";

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

test("a replay names its environment and its release as far as they are known", () => {
  expect(originOf({ environment: "production", release: "1.4.2" })).toEqual([
    { kind: "Environment", name: "production" },
    { kind: "Release", name: "1.4.2" },
  ]);
  expect(originOf({ environment: "", release: "1.4.2" }).map(({ kind }) => kind)).toEqual(["Release"]);
  expect(originOf({ environment: null, release: null })).toEqual([]);
});
