// React may run a component more than once before it shows anything, so a ref is written in handlers and effects,
// never while rendering. Neither the compiler nor Biome finds such a write.

import ts from "typescript";

/** The lines of `source` that write `.current` in the body of a component or a hook. */
export function refsWrittenInRender(name: string, source: string): number[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (isRefWrite(node) && isRendering(node)) lines.push(file.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    node.forEachChild(visit);
  };
  visit(file);
  return lines;
}

function isRefWrite(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !ts.isPropertyAccessExpression(node.left)) return false;
  const { kind } = node.operatorToken;
  const assigns = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  return assigns && node.left.name.text === "current";
}

/** Whether the function around it is a component or a hook, by its name. */
function isRendering(node: ts.Node): boolean {
  const around = ts.findAncestor(node, (parent) => ts.isFunctionLike(parent) && parent !== node);
  if (!around) return false;
  const owner = ts.isFunctionDeclaration(around) ? around : around.parent;
  const name = ts.isFunctionDeclaration(owner) || ts.isVariableDeclaration(owner) ? owner.name : undefined;
  return name !== undefined && ts.isIdentifier(name) && /^(?:use[A-Z]|[A-Z])/.test(name.text);
}
