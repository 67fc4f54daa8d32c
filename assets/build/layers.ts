// The app is built in layers. A file imports from its own folder and from the layers below it, so a layer can be read
// and tested without those above. Types count, and so does what is loaded later: it has to be known to be loaded.

import { allImports, resolveImport } from "./import-circles.ts";

/** Folders of the app and files beside them, the lowest layer first. Those of one layer do not import each other. */
const layers: readonly (readonly string[])[] = [
  ["theme", "hooks", "paths.ts", "search-params.ts"],
  ["api"],
  ["ui"],
  ["navigation"],
  ["first-steps", "issue-search", "sign-in"],
  ["shell"],
  ["errors"],
  ["routes"],
  ["pages"],
  ["routes.ts"],
  ["main.tsx"],
];

/** What is wrong with the layers of `files` (path → source): imports that do not lead down, and files in no layer. */
export function layerProblems(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [name, source] of files) {
    if (layerOf(name) < 0) found.push(`${name} is in no layer`);
    for (const from of allImports(name, source)) {
      const to = resolveImport(name, from);
      if (from.startsWith(".") && !mayImport(name, to)) found.push(`${name} imports ${to}`);
    }
  }
  return found;
}

/** What is outside the app is in no layer, such as the format of recordings. */
const mayImport = (name: string, to: string): boolean =>
  to.startsWith("../") || placeOf(name) === placeOf(to) || (layerOf(to) >= 0 && layerOf(to) < layerOf(name));

/** -1 for what is in none. */
const layerOf = (name: string): number => layers.findIndex((places) => places.includes(placeOf(name)));

/** The folder right below `app/`, or the file there. */
const placeOf = (name: string): string => name.split("/", 1)[0] ?? "";
