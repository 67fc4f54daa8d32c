import { expect, test } from "vitest";
import { addressesIn, addressProblem } from "./addresses.ts";

test("addresses are apart by commas, semicolons, spaces and new lines", () => {
  const text = "ada@example.com, bob@example.com;carol@example.com dave@example.com\n\n eve@example.com ,";
  expect(addressesIn(text)).toEqual({
    good: ["ada", "bob", "carol", "dave", "eve"].map((name) => `${name}@example.com`),
    wrong: [],
  });
});

test("names around an address, as mail programs copy them, are left out", () => {
  expect(
    addressesIn('Ada Lovelace <ada@example.com>, "Babbage" <charles@example.com>\n<x@example.com> mailto:y@example.com')
      .good,
  ).toEqual(["ada@example.com", "charles@example.com", "x@example.com"]);
  expect(addressesIn("mailto:y@example.com").good).toEqual(["y@example.com"]);
});

test("an address is invited once, however it is written", () => {
  expect(addressesIn("ada@example.com ADA@example.com").good).toEqual(["ada@example.com"]);
});

test("invalid addresses are reported, a few by name", () => {
  expect(addressesIn("ada@example.com bob at@ @x").wrong).toEqual(["bob", "at@", "@x"]);
  expect(addressProblem(addressesIn("bob"))).toBe("“bob” is not an e-mail address.");
  expect(addressProblem(addressesIn("a b c d e"))).toBe("“a”, “b”, “c” and 2 more are not e-mail addresses.");
  expect(addressProblem(addressesIn(" ,\n"))).toMatch(/at least one/);
  expect(addressProblem(addressesIn("ada@example.com"))).toBeUndefined();
  expect(addressProblem(addressesIn(Array.from({ length: 51 }, (_, at) => `p${at}@example.com`).join(" ")))).toMatch(
    /at most 50/,
  );
});
