import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const notice = read("../app/public/NOTICE.txt");
const fonts = "../node_modules/@fontsource-variable/";

test("the notice carries the copyright and the whole licence of every typeface that is baked in", () => {
  const packages = readdirSync(fileURLToPath(new URL(fonts, import.meta.url)));
  expect(packages.length).toBe(2);
  for (const name of packages) {
    const [first = "", ...rest] = read(`${fonts}${name}/LICENSE`).split("\n");
    const [copyright] = /^Copyright \d+ .*? \(https:\S+\)/.exec(first) ?? [];
    expect(copyright, name).toBeDefined();
    expect(notice).toContain(copyright);
    expect(notice).toContain(rest.join("\n").trim());
  }
});
