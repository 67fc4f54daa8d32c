import { expect, test } from "vitest";
import { limiter } from "./limit.ts";

test("the same error is sent once a second, and others in between", () => {
  const allows = limiter(30);
  expect([allows("a", 0), allows("b", 1), allows("a", 2), allows("a", 999), allows("a", 1_000)]).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
});

test("thirty events are sent in a minute, and thirty in the next", () => {
  const allows = limiter(30);
  const sent = (from: number) =>
    Array.from({ length: 1_000 }, (_, index) => allows(`error ${index}`, from + index)).filter(Boolean).length;
  expect([sent(0), sent(30_000), sent(60_000)]).toEqual([30, 0, 30]);
});
