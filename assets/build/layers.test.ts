import { expect, test } from "vitest";
import { layerProblems } from "./layers.ts";

test("a file may import packages, its own folder, the layers below it and what is outside the app", () => {
  const files = new Map([
    ["main.tsx", 'import { makeRouter } from "./routes.ts"; const load = () => import("./ui/Tips.tsx");'],
    ["pages/issues/Row.tsx", 'import { eventQuery } from "../issue/queries.ts"; import { Link } from "some-router";'],
    ["shell/Nav.tsx", 'import { useViews } from "../issue-search/views.ts"; import "./Nav.module.css";'],
    ["api/early.ts", 'import { paths } from "../paths.ts";'],
    ["pages/replay/data/version.ts", 'import { format } from "../../../../client/replay/format.ts";'],
  ]);
  expect(layerProblems(files)).toEqual([]);
});

test("an import of a higher layer is named, also of a type or of what is loaded later", () => {
  const files = new Map([
    ["shell/Nav.tsx", 'import { useViews } from "../pages/issues/views.ts";'],
    ["shell/ChecklistCard.tsx", 'import type { Step } from "../pages/start/checklist.ts";'],
    ["navigation/current.ts", 'const load = () => import("../pages/projects/last.ts");'],
    ["ui/Page.tsx", 'export { tabTitle } from "../navigation/lookup.ts";'],
    ["routes/root.ts", 'import styles from "../pages/errors/Crash.module.css";'],
  ]);
  expect(layerProblems(files)).toEqual([
    "shell/Nav.tsx imports pages/issues/views.ts",
    "shell/ChecklistCard.tsx imports pages/start/checklist.ts",
    "navigation/current.ts imports pages/projects/last.ts",
    "ui/Page.tsx imports navigation/lookup.ts",
    "routes/root.ts imports pages/errors/Crash.module.css",
  ]);
});

test("folders of one layer do not know each other, and every file is in a layer", () => {
  const files = new Map([
    ["sign-in/LoginForm.tsx", 'import { freshKeysQuery } from "../first-steps/keys.ts";'],
    ["api/live.ts", 'import { shorten } from "../helpers/text.ts";'],
    ["helpers/text.ts", ""],
  ]);
  expect(layerProblems(files)).toEqual([
    "sign-in/LoginForm.tsx imports first-steps/keys.ts",
    "api/live.ts imports helpers/text.ts",
    "helpers/text.ts is in no layer",
  ]);
});
