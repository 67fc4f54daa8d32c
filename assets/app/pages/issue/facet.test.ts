import { expect, test } from "vitest";
import { facetOf, facetParts, facetQuery } from "./facet.ts";

test("a value that cannot be named is no facet", () => {
  expect(facetOf("release", "1.4.2")).toBe("release:1.4.2");
  expect(facetOf("tag.browser", "Chrome 141")).toBe("tag.browser:Chrome 141");
  expect(facetOf("tag.a:b", "c")).toBeUndefined();
  expect(facetOf("tag.", "c")).toBeUndefined();
  expect(facetOf("tag.browser", "")).toBeUndefined();
});

test("a facet is split into key and value", () => {
  expect(facetParts("tag.url:https://shop.example")).toEqual({ key: "url", value: "https://shop.example" });
  expect(facetParts("user:ada")).toEqual({ key: "user", value: "ada" });
  expect(facetParts("tag.text:two\nlines")).toEqual({ key: "text", value: "two\nlines" });
  expect(facetParts("nonsense")).toBeUndefined();
  expect(facetParts("user:")).toBeUndefined();
});

test("issues with the value are found where the query language can express it", () => {
  expect(facetQuery("release:1.4.2")).toBe("release:1.4.2");
  expect(facetQuery("contexts.os.version:22 LTS")).toBe('contexts.os.version:"22 LTS"');
  expect(facetQuery("tag.browser:Chrome 141")).toBe('tag.browser:"Chrome 141"');
  expect(facetQuery('tag.text:say "hi"')).toBeUndefined();
  expect(facetQuery("tag.two words:x")).toBeUndefined();
});
