import { expect, test } from "vitest";
import { ApiError, detailOf, isPassing, isStatus, messageOf } from "./error.ts";

test("the server's message comes first", () => {
  expect(detailOf(422, { detail: "name: missing" })).toBe("name: missing");
  expect(detailOf(404, { error: "gone", code: "NOT_FOUND" })).toBe("gone");
  expect(detailOf(503, { status: "degraded", reason: "disk full" })).toBe("disk full");
});

test("an answer without a message shows its status", () => {
  for (const body of [undefined, null, "", "<html>", {}, { detail: 7 }, { detail: "" }]) {
    expect(detailOf(502, body)).toContain("502");
  }
});

test("only missing answers, overload and server errors are transient", () => {
  expect([0, 429, 500, 503].every((status) => isPassing(new ApiError(status, "")))).toBe(true);
  expect([400, 401, 403, 404, 409, 422].some((status) => isPassing(new ApiError(status, "")))).toBe(false);
  expect(isPassing(new Error("a bug of ours"))).toBe(false);
});

test("errors of all kinds have a message", () => {
  expect(messageOf(new ApiError(0, "silent"))).toBe("silent");
  expect(messageOf("text")).toBe("text");
  expect(isStatus(new ApiError(404, ""), 403, 404)).toBe(true);
  expect(isStatus(new Error("404"), 404)).toBe(false);
});
