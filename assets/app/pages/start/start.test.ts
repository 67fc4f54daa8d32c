import { expect, test } from "vitest";
import { sdks } from "../../first-steps/sdks.ts";
import { placeholder, snippetOf } from "../../first-steps/snippets.ts";
import { highlight } from "./highlight.ts";
import { testEvent } from "./test-event.ts";

const place = { origin: "https://mayday.example", key: "pk_0123456789abcdef" };

test("highlighting loses no character, and marks a missing key", () => {
  for (const { id } of sdks) {
    const { text, language } = snippetOf(id, { ...place, key: placeholder });
    const pieces = highlight(text, language);
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
    expect(pieces.filter(({ kind }) => kind === "missing")).toHaveLength(1);
  }
  expect(highlight('let a = "//x"; // y', "javascript").map(({ kind }) => kind)).toEqual([
    "plain",
    "string",
    "plain",
    "comment",
  ]);
});

test("the test event shows its throwing line without any upload", () => {
  const { exception, environment, timestamp } = testEvent(place.key, Date.UTC(2026, 10, 21, 12));
  expect(environment).toBe("test");
  expect(timestamp).toBe("2026-11-21T12:00:00.000Z");
  expect(exception?.message).toMatch(/test event.*Administrators can delete this issue/);
  expect(exception?.frames?.[0]?.context_line).toContain("item.price.amount");
  const frame = exception?.frames?.[0];
  expect(frame?.context_line?.slice((frame.colno ?? 0) - 1)).toMatch(/^amount/);
});
