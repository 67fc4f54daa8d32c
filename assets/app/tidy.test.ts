// Rules of the app's sources that a compiler does not know.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:tsx?|css)$/.test(name));
const read = (name: string) => readFileSync(`${root}/${name}`, "utf8");
const sources = files.filter((name) => !name.startsWith("theme/") && !/\.test\.tsx?$/.test(name) && name !== "api/schema.d.ts");

test("colours and pixel sizes are in the theme alone", () => {
  for (const name of sources) {
    expect(read(name).match(/#[0-9a-f]{3,8}\b(?=["';\s,)])|\b\d+px\b|\brgba?\(|\bhsl\(/gi) ?? [], name).toEqual([]);
  }
});

test("text of events is never read as markup", () => {
  for (const name of sources) expect(read(name), name).not.toMatch(/dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write/);
});

test("links are made by paths.ts", () => {
  for (const name of sources.filter((name) => name.endsWith(".tsx") && name !== "routes.tsx")) {
    expect(read(name), name).not.toMatch(/(?:href|to)=(?:"|\{["'`])\/(?!api\/|client\.js)/);
  }
});

test("a file is one thing", () => {
  for (const name of sources) expect(read(name).split("\n").length, name).toBeLessThanOrEqual(401);
});
