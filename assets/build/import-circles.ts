// Modules that import each other can only be read, tested and loaded together. Types count, too: who needs a type of
// another file has to understand that file. A dynamic `import()` does not: it is how a page is loaded later.

import { posix } from "node:path";
import ts from "typescript";

/** What `source` imports statically, as it is written: values, types, re-exports and `import("…").Type`. */
export function staticImports(name: string, source: string): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const from =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : undefined;
    if (from && ts.isStringLiteral(from)) found.push(from.text);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** Circles among `files` (path → source), each as the way from a file back to itself; empty when there is none. */
export function importCircles(files: ReadonlyMap<string, string>): string[][] {
  const imports = new Map(
    [...files].map(([name, source]) => [name, staticImports(name, source).map((from) => resolve(name, from))]),
  );
  const circles: string[][] = [];
  const done = new Set<string>();
  const follow = (name: string, way: readonly string[]): void => {
    const at = way.indexOf(name);
    if (at >= 0) circles.push([...way.slice(at), name]);
    if (at >= 0 || done.has(name)) return;
    for (const next of imports.get(name) ?? []) follow(next, [...way, name]);
    done.add(name);
  };
  for (const name of files.keys()) follow(name, []);
  return circles;
}

const resolve = (name: string, from: string): string =>
  from.startsWith(".") ? posix.normalize(posix.join(posix.dirname(name), from)) : from;
