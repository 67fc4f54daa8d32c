import { expect, test } from "vitest";
import { initials } from "./initials.ts";

test("initials are visible letters or digits", () => {
  expect(initials("Ada Lovelace")).toBe("AL");
  expect(initials("ada.lovelace@example.com")).toBe("AL");
  expect(initials("\u202egrp.exe")).toBe("GE");
  expect(initials("李小龍")).toBe("李");
  expect(initials("…")).toBe("?");
});
