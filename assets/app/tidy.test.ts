// Rules for the app's sources that the compiler does not check.

import { readFileSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sendsByHand } from "../build/forms.ts";
import { importCircles } from "../build/import-circles.ts";
import { layerProblems } from "../build/layers.ts";
import { refsWrittenInRender } from "../build/render-refs.ts";
import { modulesToFold } from "../build/short-modules.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:tsx?|css)$/.test(name));
const read = (name: string) => readFileSync(`${root}/${name}`, "utf8");
const sources = files.filter(
  (name) => !name.startsWith("theme/") && !/\.test\.tsx?$/.test(name) && name !== "api/schema.d.ts",
);
const modules = sources.filter((name) => !name.endsWith(".css"));

test("colours and pixel sizes are in the theme alone", () => {
  for (const name of sources) {
    expect(read(name).match(/#[0-9a-f]{3,8}\b(?=["';\s,)])|\b\d+px\b|\brgba?\(|\bhsl\(/gi) ?? [], name).toEqual([]);
  }
});

test("text of events is never read as markup", () => {
  for (const name of sources)
    expect(read(name), name).not.toMatch(/dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write/);
});

/** The bar that everything else stays above. */
const bar = "shell/BottomBar.module.css";

test("what sticks to the bottom of the window stays above the bar and the messages there", () => {
  const rules = sources
    .filter((name) => name.endsWith(".css") && name !== bar)
    .flatMap((name) => [...read(name).matchAll(/\{[^{}]*\}/g)].map(([rule]) => ({ name, rule })));
  const stuck = rules.filter(({ rule }) => /\bposition: (?:sticky|fixed);/.test(rule) && /\sbottom: /.test(rule));
  expect(stuck.length).toBeGreaterThan(0);
  for (const { name, rule } of stuck) expect(rule, name).toContain("bottom: var(--below);");
});

test("links are made only by paths.ts", () => {
  for (const name of sources.filter((name) => name.endsWith(".tsx"))) {
    expect(read(name), name).not.toMatch(/(?:href|to)=(?:"|\{["'`])\/(?!api\/|client\.js)/);
  }
});

test("a file has at most 400 lines", () => {
  for (const name of sources) expect(read(name).split("\n").length, name).toBeLessThanOrEqual(401);
});

/** A component's file has its name; every other is in kebab-case. */
const component = /^[A-Z][A-Za-z0-9]*(?:\.module\.css|(?:\.test)?\.tsx)$/;
const other = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.test|\.d)?\.(?:ts|css)$|^main\.tsx$/;

test("files are named in one way", () => {
  const odd = files.map((name) => basename(name)).filter((name) => !component.test(name) && !other.test(name));
  expect(odd).toEqual([]);
});

/** Icons of acts, with the files that offer them: elsewhere they would promise something else. */
const acts: Record<string, string[]> = {
  UserRound: ["pages/issue/actions/Assign.tsx", "pages/issues/ChangeMenus.tsx"],
  Flag: ["pages/issue/actions/Actions.tsx", "pages/issues/ChangeMenus.tsx"],
  RotateCcw: ["ui/Standing.tsx"],
  RotateCw: ["shell/BellMenu.tsx", "shell/use-palette-search.ts"],
  Radio: ["pages/logs/LogsPage.tsx"],
  ListChecks: ["pages/issues/Tools.tsx"],
  Package: [],
};

test("an act has one icon, which stands for nothing else", () => {
  const icons = modules.map((name) => ({ name, icons: /\{([^}]*)\} from "lucide-react"/.exec(read(name))?.[1] ?? "" }));
  for (const [icon, users] of Object.entries(acts)) {
    const found = icons.filter((each) => each.icons.split(/[\s,]+/).includes(icon)).map(({ name }) => name);
    expect(found.sort(), icon).toEqual(users);
  }
});

test("what people type is sent by ui/form.ts", () => {
  expect(modules.filter((name) => sendsByHand(read(name)))).toEqual([]);
});

/** An effect that returns what it focuses or scrolls with: where that is a promise, React would call it to clean up. */
const returnsMove = /use(?:Layout)?Effect\(\s*\(\) =>\s*[^{;]*?\.(?:focus|scroll\w*)\(/;

test("an effect does not return what moves the focus or scrolls", () => {
  expect("useEffect(() => box.current?.focus(), [box])").toMatch(returnsMove);
  expect(modules.filter((name) => returnsMove.test(read(name)))).toEqual([]);
});

test("no ref is written while rendering", { timeout: 60_000 }, () => {
  for (const name of modules.filter((name) => read(name).includes(".current"))) {
    expect(refsWrittenInRender(name, read(name)), name).toEqual([]);
  }
});

test("a file imports from its own folder and from the layers below it", { timeout: 60_000 }, () => {
  expect(layerProblems(new Map(modules.map((name) => [name, read(name)])))).toEqual([]);
});

test("no files import each other in a circle", { timeout: 60_000 }, () => {
  expect(importCircles(new Map(modules.map((name) => [name, read(name)])))).toEqual([]);
});

/** Short modules that stand alone all the same. */
const alone = [
  // Each way to sign in has a file.
  "pages/organization/sign-in/PasswordPart.tsx",
];

test("a short module stands in the one file that uses it", { timeout: 60_000 }, () => {
  const written = files.filter((name) => /(?<!\.d)\.tsx?$/.test(name));
  expect(modulesToFold(new Map(written.map((name) => [name, read(name)])))).toEqual(alone);
});
