import { expect, test } from "vitest";
import { allImports, importCircles, staticImports } from "./import-circles.ts";

test("values, types and re-exports are static imports; what is loaded later is not", () => {
  const source = `
    import "./styles.css";
    import { a } from "./a.ts";
    import type { B } from "../b.ts";
    export { c } from "./c.ts";
    export const here = 1;
    type D = import("./d.ts").D;
    const E = lazy(() => import("./e.tsx"));`;
  expect(staticImports("x.tsx", source)).toEqual(["./styles.css", "./a.ts", "../b.ts", "./c.ts", "./d.ts"]);
  expect(allImports("x.tsx", source)).toEqual([...staticImports("x.tsx", source), "./e.tsx"]);
});

test("a circle is reported as its path, even if only types make it", () => {
  const files = new Map([
    ["routes.ts", 'import { page } from "./pages/list/route.ts"; export const tree = [page];'],
    ["pages/list/route.ts", 'export interface Search {} export const page = () => import("./Page.tsx");'],
    ["pages/list/Page.tsx", 'import type { Search } from "./route.ts"; import { row } from "./row.ts";'],
    ["pages/list/row.ts", 'import type { Tree } from "../../tree.ts";'],
    ["tree.ts", 'import type { Search } from "./pages/list/column.ts";'],
    ["pages/list/column.ts", 'import { row } from "./row.ts";'],
  ]);
  expect(importCircles(files)).toEqual([["pages/list/row.ts", "tree.ts", "pages/list/column.ts", "pages/list/row.ts"]]);
  files.set("tree.ts", "");
  expect(importCircles(files)).toEqual([]);
});

test("a file that imports itself is a circle", () => {
  expect(importCircles(new Map([["a.ts", 'import { b } from "./a.ts";']]))).toEqual([["a.ts", "a.ts"]]);
});
