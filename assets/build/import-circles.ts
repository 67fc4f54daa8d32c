// Modules that import each other can only be read, tested and loaded together. Types count, too: who needs a type of
// another file has to understand that file. A dynamic `import()` does not: it is how a page is loaded later.

import { posix } from "node:path";
import ts from "typescript";

/** What `source` imports statically, as it is written: values, types, re-exports and `import("…").Type`. */
export const staticImports = (name: string, source: string): string[] => importsIn(name, source, staticTarget);

/** The same with what is loaded later. */
export const allImports = (name: string, source: string): string[] =>
  importsIn(name, source, (node) => staticTarget(node) ?? laterTarget(node));

function importsIn(name: string, source: string, targetOf: (node: ts.Node) => ts.Node | undefined): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const target = targetOf(node);
    if (target && ts.isStringLiteral(target)) found.push(target.text);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function staticTarget(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  return ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
}

const laterTarget = (node: ts.Node): ts.Node | undefined =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments[0] : undefined;

/** Circles among `files` (path → source), each as the way from a file back to itself; empty when there is none. */
export function importCircles(files: ReadonlyMap<string, string>): string[][] {
  const imports = new Map(
    [...files].map(([name, source]) => [name, staticImports(name, source).map((from) => resolveImport(name, from))]),
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

/** The path of what a file imports; that of a package stays as it is. */
export const resolveImport = (name: string, from: string): string =>
  from.startsWith(".") ? posix.normalize(posix.join(posix.dirname(name), from)) : from;
