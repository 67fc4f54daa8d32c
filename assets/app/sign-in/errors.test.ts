import { expect, test } from "vitest";
import { ApiError } from "../api/error.ts";
import { errorCodes, errorWords, refusedCode } from "./errors.ts";

const codes =
  "not_configured unreachable provider_refused cancelled flow_expired wrong_browser invalid_answer email_missing email_unverified domain_not_allowed not_invited account_disabled account_removed identity_conflict not_signed_in not_claimed setup_token rate_limited internal";

test("every error code of the server has a text with advice", () => {
  expect([...errorCodes].sort()).toEqual(codes.split(" ").sort());
  for (const code of errorCodes) {
    const { title, next } = errorWords(code);
    for (const text of [title, next]) expect(text, code).toMatch(/^[A-Z].*\.$/);
  }
});

test("an unknown code is shown if it looks like one", () => {
  expect(errorWords("new_thing").title).toBe("The sign-in failed (new_thing).");
  expect(errorWords("<b>call 0800 1234</b>").title).toBe("The sign-in failed.");
  expect(errorWords("constructor").title).toBe("The sign-in failed (constructor).");
});

test("a refusal to start has the text of its code", () => {
  expect(
    refusedCode(new ApiError(409, "The provider cannot be reached (invalid_answer). The log has the reason.")),
  ).toBe("invalid_answer");
  expect(
    refusedCode(new ApiError(409, "The provider cannot be reached (something_new). The log has the reason.")),
  ).toBeUndefined();
  expect(refusedCode(new ApiError(404, "Not here (unreachable)"))).toBeUndefined();
  expect(refusedCode(undefined)).toBeUndefined();
});
