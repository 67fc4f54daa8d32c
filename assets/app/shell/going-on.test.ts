import { expect, test } from "vitest";
import { goingOn } from "./going-on.ts";

test("sessions that wait for a person are told first, and not again as running", () => {
  expect(goingOn(0, 0)).toBeUndefined();
  expect(goingOn(2, 0)).toBe("2 running");
  expect(goingOn(1, 1)).toBe("1 waiting for you");
  expect(goingOn(3, 1)).toBe("1 waiting for you, 2 running");
});
