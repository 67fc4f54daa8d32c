import { expect, test } from "vitest";
import type { SessionMessage } from "../../api/schema.d.ts";
import { emptyWords, entryHash, entryIn, filters, fits, withMessages } from "./transcript.ts";

let id = 0;
const message = (role: SessionMessage["role"], content: string, stream: SessionMessage["stream"] = null) =>
  ({
    id: ++id,
    role,
    stream,
    content,
    created_by: null,
    created_at: "2026-01-01T00:00:00.000Z",
    delivered_at: null,
  }) as SessionMessage;
const texts = (blocks: ReturnType<typeof withMessages>) => blocks.map(({ role, text }) => [role, text]);

test("output that belongs together is one block, a person's messages are each their own", () => {
  const first = withMessages([], [message("system", "cloned"), message("agent", "a", "stdout")]);
  const blocks = withMessages(first, [
    message("agent", "b\n", "stdout"),
    message("agent", "c", "stdout"),
    message("agent", "oh", "stderr"),
    message("user", "one"),
    message("user", "two"),
  ]);
  expect(texts(blocks)).toEqual([
    ["system", "cloned"],
    ["agent", "a\nb\nc"],
    ["agent", "oh"],
    ["user", "one"],
    ["user", "two"],
  ]);
  expect(blocks[0]).toBe(first[0]);
  expect(texts(first).at(-1)).toEqual(["agent", "a"]);
});

test("a block does not grow for ever", () => {
  const blocks = withMessages(
    [],
    Array.from({ length: 30 }, () => message("agent", "x".repeat(1_000), "stdout")),
  );
  expect(blocks.length).toBeGreaterThan(3);
  expect(Math.max(...blocks.map(({ text }) => text.length))).toBeLessThan(8_100);
});

test("each call of a tool is a block, and filters show words, commands or errors", () => {
  const blocks = withMessages(
    [],
    [
      message("system", "cloned"),
      message("user", "Look"),
      message("agent", "I look", "stdout"),
      message("tool", "Bash: ls"),
      message("tool", "a\nb"),
      message("agent", "oh", "stderr"),
    ],
  );
  const shown = (filter: (typeof filters)[number]) =>
    blocks.filter((block) => fits(filter, block)).map(({ text }) => text);
  expect(filters.map(shown)).toEqual([
    ["cloned", "Look", "I look", "Bash: ls", "a\nb", "oh"],
    ["Look", "I look"],
    ["Bash: ls", "a\nb"],
    ["oh"],
  ]);
});

test("of what has ended, nothing is still to come", () => {
  const said = (ended: boolean) => filters.map((filter) => emptyWords(filter, ended));
  expect(said(false)).toEqual([
    "What the agent writes appears here.",
    "Nothing was said yet.",
    "No tool was used yet.",
    "No error output.",
  ]);
  expect(said(true)).toEqual(["Nothing was written.", "Nothing was said.", "No tool was used.", "No error output."]);
});

test("an address names an entry", () => {
  expect(entryIn(entryHash(12))).toBe(12);
  for (const hash of ["", "entry-", "entry-x", "entry-1e3", "other-1"]) expect(entryIn(hash)).toBeUndefined();
});
