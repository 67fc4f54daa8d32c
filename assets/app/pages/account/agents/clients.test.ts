import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clients } from "./clients.ts";

const docs = readFileSync(new URL("../../../../../docs/mcp.md", import.meta.url), "utf8");

test("the snippets match the documentation", () => {
  const known = clients.filter(({ id }) => id !== "other");
  const told = (text: string) => text.replace(/\s+/g, " ");
  const missing = known.filter(({ text }) => !told(docs).includes(told(text("https://mayday.example.com"))));
  expect(missing.map(({ id }) => id)).toEqual([]);
});
