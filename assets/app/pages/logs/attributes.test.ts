import { expect, test } from "vitest";
import { parseExact } from "../../api/exact-json.ts";
import { attributeFacts } from "./attributes.ts";
import { term, withTerm } from "./terms.ts";

/** The only attribute of a log entry, which was sent with this value. */
const fact = (sent: string) => attributeFacts(parseExact(`{"n":${sent}}`) as Record<string, unknown>)[0];

test("a whole number of 64 bits is shown and filtered by with all digits", () => {
  const whole = ["9007199254740993", "12345678901234567890", "18446744073709551615", "-9223372036854775808"];
  for (const text of whole) {
    const found = fact(text);
    expect(found).toEqual({ name: "n", field: "attributes.n", value: text, shown: text, kind: "number" });
    expect(withTerm(undefined, term(found?.field ?? "", found?.value ?? ""), "only")).toBe(`attributes.n:${text}`);
  }
});

test("the filter of any other number has the double that the server's index has", () => {
  const indexed = {
    "18446744073709551616": "18446744073709552000",
    "-9223372036854775809": "-9223372036854776000",
    "100000000000000000000000000000000000001": "1e+38",
    "0.12345678901234567890": "0.12345678901234568",
    "-12345.678901234567890": "-12345.678901234567",
    "9007199254740993.0": "9007199254740992",
    "0.0000123456789012345678": "0.000012345678901234568",
    "0.00000123456789012345678": "0.0000012345678901234567",
    "0.000000123456789012345678": "1.2345678901234568e-7",
    "1e-400": "0",
    "123456789012345678901234": "1.2345678901234569e+23",
  };
  for (const [text, value] of Object.entries(indexed))
    expect(fact(text), text).toMatchObject({ field: "attributes.n", value, shown: text, kind: "number" });
});

test("exact numbers are leaves within objects and lists", () => {
  const given = parseExact('{"order":{"ids":[9007199254740993,7]}}') as Record<string, unknown>;
  expect(attributeFacts(given).map(({ name, value }) => [name, value])).toEqual([
    ["order.ids", "9007199254740993"],
    ["order.ids", "7"],
  ]);
});
