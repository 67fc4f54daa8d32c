import { expect, test } from "vitest";
import { flowErrorOf, idOf, textOf } from "./search-params.ts";

test("what an address says of nothing is left out", () => {
  expect([textOf(""), textOf(undefined), textOf(7)]).toEqual([undefined, undefined, "7"]);
  expect([idOf("7"), idOf("7a"), idOf("")]).toEqual([7, undefined, undefined]);
  expect([flowErrorOf({ error: "denied" }), flowErrorOf({})]).toEqual([{ error: "denied" }, {}]);
});
