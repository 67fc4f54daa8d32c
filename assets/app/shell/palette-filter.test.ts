import { expect, test } from "vitest";
import { fitting, type PaletteGroup } from "./palette-filter.ts";

const groups: PaletteGroup[] = [
  {
    group: "This project",
    actions: [
      { id: "limits", label: "Project: Limits", keywords: "rate quota keys" },
      { id: "keys", label: "Project: Keys" },
    ],
  },
  { group: "Projects", actions: [{ id: "shop", label: "Shop", description: "Teahouse" }] },
];
const ids = (query: string, all = groups) => fitting(query, all).map(({ actions }) => actions.map(({ id }) => id));

test("without words everything is listed", () => {
  expect(ids(" ")).toEqual([["limits", "keys"], ["shop"]]);
});

test("matches in a name come before matches in a description", () => {
  expect(ids("keys")).toEqual([["keys", "limits"]]);
  const described = { group: "First", actions: [{ id: "far", label: "Elsewhere", description: "shop" }] };
  expect(ids("SHOP", [described, ...groups])).toEqual([["shop"], ["far"]]);
});

test("words match in any order, and all must match", () => {
  expect(ids("teahouse shop")).toEqual([["shop"]]);
  expect(ids("teahouse keys")).toEqual([]);
});

test("server results are kept whatever their names", () => {
  const found = { group: "Issues", actions: [{ id: "issue-1", label: "SHOP-1 TypeError", found: true }] };
  expect(ids("cart", [found, ...groups])).toEqual([["issue-1"]]);
});

test("searches for the typed text come after everything that matches, and are there without a match", () => {
  const search = { group: "Search", actions: [{ id: "search", label: "Search issues for “quota”", last: true }] };
  expect(ids("quota", [search, ...groups])).toEqual([["limits"], ["search"]]);
  expect(ids("teahouse", [search, ...groups])).toEqual([["shop"], ["search"]]);
  expect(ids("pear", [search, ...groups])).toEqual([["search"]]);
});
