import { expect, test } from "vitest";
import type { Key } from "../../api/schema.d.ts";
import { environmentProblem, kindNames, kinds, sorted } from "./key-kinds.ts";

test("the key for browsers comes first and can only send", () => {
  expect(kindNames[0]).toBe("browser");
  expect(kinds.browser.scopes).toEqual(["ingest"]);
});

test("an environment becomes part of the key", () => {
  expect([environmentProblem(""), environmentProblem("production"), environmentProblem("eu-1")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  for (const bad of ["Production", "a_b", "a".repeat(17), "ü", "a b"]) expect(environmentProblem(bad)).toBeDefined();
});

test("revoked keys are apart", () => {
  const key = (id: number, revoked_at: string | null) => ({ id, revoked_at }) as Key;
  const { live, revoked } = sorted([key(3, null), key(2, "2026-11-21T00:00:00Z"), key(1, null)]);
  expect([live.map(({ id }) => id), revoked.map(({ id }) => id)]).toEqual([[3, 1], [2]]);
});
