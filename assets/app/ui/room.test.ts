import { expect, test } from "vitest";
import { roomFor } from "./room.ts";

test("messages take room with their gaps, and none once they are gone", () => {
  expect(roomFor(46)).toBe("calc(46px + 2 * var(--gap-4))");
  expect(roomFor(0)).toBe("0rem");
});
