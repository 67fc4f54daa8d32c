import { expect, test } from "vitest";
import { prefixOf, shortIdPrefix } from "./short-id.ts";

test("a short id names its project", () => {
  expect([prefixOf("web-shop"), prefixOf("a-very-long-name-of-a-project")]).toEqual(["WEBSHOP", "AVERYLONGNAMEOFA"]);
  expect([shortIdPrefix("WEB-42"), shortIdPrefix("webshop-7")]).toEqual(["WEB", "WEBSHOP"]);
  for (const other of ["WEB", "WEB-", "-42", "WEB-x", "WEB-42 x", "WEB-1234567890", "ä-1", ""])
    expect(shortIdPrefix(other)).toBeUndefined();
});
