import { expect, test } from "vitest";
import { modulesToFold } from "./short-modules.ts";

const lines = (count: number) => "//\n".repeat(count);

test("a short component belongs in the one file that uses it, in its folder or in the one above", () => {
  const files = new Map([
    ["shell/Shell.tsx", 'import { TopBar } from "./TopBar.tsx"; import { Row } from "./nav/Row.tsx";'],
    ["shell/TopBar.tsx", lines(25)],
    ["shell/nav/Row.tsx", 'import classes from "../Shell.module.css";'],
  ]);
  expect(modulesToFold(files)).toEqual(["shell/TopBar.tsx", "shell/nav/Row.tsx"]);
});

test("a short helper does, wherever that file is", () => {
  const files = new Map([
    ["pages/issues/Row.tsx", 'import { wordsOf } from "../../ui/words.ts";'],
    ["ui/words.ts", lines(1)],
  ]);
  expect(modulesToFold(files)).toEqual(["ui/words.ts"]);
});

test("a component of a lower layer, a longer module and one with several users stand alone", () => {
  const files = new Map([
    ["pages/issues/Row.tsx", 'import "../../ui/Priority.tsx"; import "./Cells.tsx"; import "./Mark.tsx";'],
    ["pages/issues/Head.tsx", 'import type { Mark } from "./Mark.tsx"; import "./Row.tsx"; import "./Row.tsx";'],
    ["pages/issues/Mark.tsx", lines(1)],
    ["pages/issues/Cells.tsx", lines(26)],
    ["ui/Priority.tsx", lines(1)],
    ["pages/issues/IssuesPage.tsx", 'import "./Row.tsx"; import "./Head.tsx";'],
    ["pages/issues/Empty.tsx", 'import "./Head.tsx";'],
  ]);
  expect(modulesToFold(files)).toEqual([]);
});

test("what a test uses, what is loaded later, what has its stylesheet, and a page's route stand alone", () => {
  const files = new Map([
    ["routes.ts", 'import { route } from "./pages/start/route.ts";'],
    ["pages/start/route.ts", 'const load = () => import("./StartPage.tsx");'],
    ["pages/start/StartPage.tsx", 'import "./Steps.tsx"; import { next } from "./next.ts";'],
    ["pages/start/Steps.tsx", 'import classes from "./Steps.module.css";'],
    ["pages/start/next.ts", lines(1)],
    ["pages/start/next.test.ts", 'import { next } from "./next.ts";'],
  ]);
  expect(modulesToFold(files)).toEqual([]);
});
