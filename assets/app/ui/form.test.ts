import { expect, test } from "vitest";
import { ApiError } from "../api/error.ts";
import { namedField, wordsOf } from "./form.ts";

const fields = ["name", "email"] as const;

test("a refusal is shown at the field that it names", () => {
  const error = new ApiError(422, "email: expected an address such as ada@example.com");
  expect(namedField(error, fields)).toBe("email");
  expect(wordsOf(error, "email")).toBe("Expected an address such as ada@example.com.");
});

test("a path to a list entry names its field", () => {
  const error = new ApiError(422, "settings.scrubbing.keys[1]: has no letter or digit");
  expect(namedField(error, ["name", "keys"])).toBe("keys");
  expect(wordsOf(error, "keys")).toBe("Has no letter or digit.");
});

test("a refusal without a known field, or with another status, is shown for the form", () => {
  expect(namedField(new ApiError(422, "platform: too long"), fields)).toBeUndefined();
  expect(namedField(new ApiError(422, "emails: too many"), fields)).toBeUndefined();
  expect(namedField(new ApiError(403, "name: no"), fields)).toBeUndefined();
  expect(namedField(new ApiError(500, "name: no"), fields)).toBeUndefined();
  expect(namedField(new Error("name: no"), fields)).toBeUndefined();
  expect(wordsOf(new ApiError(403, "The setup token is wrong."), "setup_token")).toBe("The setup token is wrong.");
});
