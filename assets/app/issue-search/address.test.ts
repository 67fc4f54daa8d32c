import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  addressOf,
  askedOf,
  filtersOf,
  type IssueSearch,
  issueSearchOf,
  partsOf,
  queryOf,
  typed,
  wholeOf,
  withStatus,
  withTerm,
} from "./address.ts";

const parts = (query: string) => {
  const { status, words } = partsOf(query);
  return [status, words];
};

test("a query is split into a status and words", () => {
  expect(parts("is:unresolved cart")).toEqual(["unresolved", "cart"]);
  expect(parts('level:error status:resolved "two words"')).toEqual(["resolved", 'level:error "two words"']);
  expect(parts("IS:Ignored")).toEqual(["ignored", ""]);
  expect(parts("cart")).toEqual(["all", "cart"]);
  expect(parts("")).toEqual(["all", ""]);
});

test("a view that implies unresolved issues keeps the status", () => {
  for (const state of ["new", "regressed", "escalating", "ongoing"])
    expect(parts(`is:${state} cart`)).toEqual(["unresolved", `is:${state} cart`]);
  expect(parts("is:resolved is:new")).toEqual(["resolved", "is:new"]);
  expect(parts("is:mine")).toEqual(["all", "is:mine"]);
});

test("several statuses stay among the words", () => {
  for (const query of ["-is:resolved", "-status:resolved x", "status:resolved,ignored", "is:resolved is:ignored"])
    expect(parts(query)).toEqual(["all", query]);
});

test("the parts make the query that the server reads", () => {
  expect(wholeOf({ status: "resolved", words: "cart" })).toBe("is:resolved cart");
  expect(wholeOf({ status: "ignored", words: "" })).toBe("is:ignored");
  expect(wholeOf({ status: "all", words: "cart" })).toBe("cart");
});

test("typed text keeps the status, unless it contains one", () => {
  expect(typed("cart is:new", "resolved")).toEqual({ status: "resolved", words: "cart is:new" });
  expect(typed("cart is:ignored", "resolved")).toEqual({ status: "ignored", words: "cart" });
  expect(typed("-is:ignored", "resolved")).toEqual({ status: "all", words: "-is:ignored" });
  expect(typed("-is:mine", "resolved")).toEqual({ status: "resolved", words: "-is:mine" });
});

test("a new status replaces the one among the words", () => {
  for (const words of [
    "cart -is:resolved",
    "is:resolved cart is:ignored",
    "-status:resolved cart",
    "cart status:resolved,ignored",
  ])
    expect(withStatus(partsOf(words), "resolved")).toEqual({ status: "resolved", words: "cart" });
  expect(withStatus(partsOf("is:new cart"), "all")).toEqual({ status: "all", words: "is:new cart" });
});

test("an address without a status has a whole query, or nothing", () => {
  expect(askedOf({})).toEqual({ status: "unresolved", words: "" });
  expect(askedOf({ query: "cart" })).toEqual({ status: "all", words: "cart" });
  expect(askedOf({ query: "is:resolved cart" })).toEqual({ status: "resolved", words: "cart" });
  expect(askedOf({ status: "resolved", query: "cart" })).toEqual({ status: "resolved", words: "cart" });
  expect(queryOf({})).toBe("is:unresolved");
  expect(queryOf({ query: "cart is:resolved" })).toBe("cart is:resolved");
  expect(queryOf({ status: "resolved", query: "cart" })).toBe("is:resolved cart");
  expect(queryOf({ status: "all" })).toBe("");
});

test("an address is read as it was written", () => {
  for (const status of ["unresolved", "resolved", "ignored", "all"] as const)
    for (const words of ["", "cart is:new"]) expect(askedOf(addressOf({ status, words }))).toEqual({ status, words });
  expect(addressOf({ status: "unresolved", words: "" })).toEqual({});
});

test("a value is added to or excluded from the words once", () => {
  const asked = { status: "resolved", words: 'cart -tag.b:x tag.a:"y z"' } as const;
  expect(withTerm(asked, "tag.b:x", false)).toEqual({ status: "resolved", words: 'cart tag.a:"y z" tag.b:x' });
  expect(withTerm(asked, 'tag.a:"y z"', true)).toEqual({ status: "resolved", words: 'cart -tag.b:x -tag.a:"y z"' });
  expect(withTerm({ status: "all", words: "" }, "user:1", true)).toEqual({ status: "all", words: "-user:1" });
});

test("unknown parameters of an address are dropped", () => {
  expect(issueSearchOf({ status: "gone", sort: "size", query: 7, other: 1 })).toEqual({ query: "7" });
  expect(issueSearchOf({ period: "1y", environment: "" })).toEqual({});
  const search: IssueSearch = { status: "all", sort: "users", query: "", environment: "qa", period: "24h" };
  expect(issueSearchOf({ ...search })).toEqual(search);
});

/** The filters that `public/early.js` requests for an address. */
function early(search: string): unknown {
  const code = readFileSync(new URL("../public/early.js", import.meta.url), "utf8");
  const names = ["location", "globalThis", "fetch", "document", "localStorage", "matchMedia"];
  const place: { early?: { list: { filters: unknown } } } = {};
  const document = { documentElement: { dataset: {}, style: {} } };
  const given = [{ pathname: "/projects/1/issues", search }, place, () => Promise.resolve(), document];
  new Function(...names, code)(...given, { getItem: () => "dark" }, () => ({ matches: false }));
  return place.early?.list.filters;
}

test("the early request is the one that the list would send", () => {
  const all: IssueSearch[] = [
    {},
    { query: "" },
    { query: "cart is:resolved" },
    { status: "all" },
    { status: "resolved", query: "a b", sort: "events" },
    { status: "unresolved", query: "cart" },
    { environment: "a b", sort: "users" },
    { status: "all", environment: "production", period: "7d" },
    { period: "30d" },
  ];
  for (const search of all) {
    const address = new URLSearchParams(Object.entries(search)).toString();
    // In the same order, since an answer is found by its address.
    expect(JSON.stringify(early(`?${address}`))).toBe(JSON.stringify(filtersOf(search)));
  }
  expect(early("?status=gone&period=8d&environment=")).toEqual({ query: "is:unresolved", sort: "last_seen" });
});
