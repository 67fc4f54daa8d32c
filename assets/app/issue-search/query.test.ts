import { expect, test } from "vitest";
import { replaced, term, termAt, terms } from "./query.ts";

const words = (query: string) => terms(query).map(({ text }) => text);

test("terms are words, pairs, and quoted texts", () => {
  expect(words('is:unresolved  release:"1.0 beta" -user:ada "cart is empty" x')).toEqual([
    "is:unresolved",
    'release:"1.0 beta"',
    "-user:ada",
    '"cart is empty"',
    "x",
  ]);
  expect(words('open "quote that never ends')).toEqual(["open", '"quote that never ends']);
  expect(words("   ")).toEqual([]);
});

test("the term at the caret is the one being typed", () => {
  expect(termAt("is:new lev", 10)).toEqual({ text: "lev", start: 7, end: 10 });
  expect(termAt("is:new ", 7)).toEqual({ text: "", start: 7, end: 7 });
  expect(termAt("is:new level:x", 3).text).toBe("is:new");
});

test("values are quoted where they need it", () => {
  expect([term("release", "1.0"), term("user", "Ada Lovelace"), term("tag.a", 'say "hi"'), term("tag.a", "")]).toEqual([
    "release:1.0",
    'user:"Ada Lovelace"',
    'tag.a:"say  hi"',
    'tag.a:""',
  ]);
});

test("a completion replaces the typed term", () => {
  expect(replaced("lev cart", { text: "lev", start: 0, end: 3 }, "level:")).toEqual({ query: "level:cart", caret: 6 });
  expect(replaced("is:new lev", { text: "lev", start: 7, end: 10 }, "level:error")).toEqual({
    query: "is:new level:error ",
    caret: 19,
  });
  const tag = replaced("ta", { text: "ta", start: 0, end: 2 }, "tag.");
  expect(tag, "the name of the tag follows").toEqual({ query: "tag.", caret: 4 });
  expect(replaced("", { text: "", start: 0, end: 0 }, "release:1.").query).toBe("release:1. ");
});
