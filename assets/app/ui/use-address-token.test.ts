import { expect, test } from "vitest";
import { tokenIn } from "./use-address-token.ts";

test("a token is found in a query, and in a fragment", () => {
  expect(tokenIn("?token=abc-1")).toBe("abc-1");
  expect(tokenIn("#token=abc-1")).toBe("abc-1");
  expect(tokenIn("token=%20abc%20&x=1")).toBe("abc");
});

test("a missing token is undefined, not empty", () => {
  for (const part of ["", "#", "?token=", "?other=1", "#token=%20"]) expect(tokenIn(part)).toBeUndefined();
});
