// Mantine's classes have hashed names, which its scripts and its style sheets share.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const read = (name: string) => readFileSync(path(name), "utf8");
const styles = "../node_modules/@mantine/core/styles/";
const imported = [...read("../app/theme/mantine.css").matchAll(/core\/styles\/([\w-]+)\.layer\.css/g)].map(
  ([, name]) => name!,
);

const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
const classesOf = (name: string) => classesIn(read(`${styles}${name}.layer.css`));

/** Classes that the built scripts give to elements. */
function classesUsed(): Set<string> {
  const folder = path("../dist/assets");
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  return classesIn(scripts.map((name) => readFileSync(`${folder}/${name}`, "utf8")).join("\n"));
}

test("the style sheet has every part of Mantine that the app uses, and no other", () => {
  const used = classesUsed();
  expect(used.size).toBeGreaterThan(50);
  const parts = readdirSync(path(styles))
    .filter((name) => name.endsWith(".layer.css"))
    .map((name) => name.replace(".layer.css", ""));
  const needed = parts.filter((name) => [...classesOf(name)].some((each) => used.has(each)));
  const styled = imported.filter((name) => classesOf(name).size > 0);
  expect(
    styled.filter((name) => !needed.includes(name)),
    "nothing uses these",
  ).toEqual([]);
  expect(
    needed.filter((name) => !imported.includes(name)),
    "theme/mantine.css imports them",
  ).toEqual([]);
});

test("the parts stand in Mantine's order", () => {
  const whole = read("../node_modules/@mantine/core/styles.layer.css");
  const at = imported.flatMap((name) => [...classesOf(name)].slice(0, 1).map((first) => whole.indexOf(first)));
  expect(at.length).toBeGreaterThan(20);
  expect(at).toEqual([...at].sort((one, other) => one - other));
});
