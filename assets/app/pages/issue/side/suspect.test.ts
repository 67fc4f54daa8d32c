import { expect, test } from "vitest";
import { between } from "./suspect.ts";

test("the time between a release and the rise of an issue is described", () => {
  const rose = "2026-11-21T10:00:00.000Z";
  expect(between("2026-11-21T09:48:00.000Z", rose)).toBe("12 min before");
  expect(between("2026-11-21T06:00:01.000Z", rose)).toBe("3 h before");
  expect(between("2026-11-19T10:00:00.000Z", rose)).toBe("2 d before");
  expect(between("2026-11-21T09:59:30.000Z", rose)).toBe("just before");
  expect(between("2026-11-21T10:04:00.000Z", rose)).toBe("4 min after");
});
