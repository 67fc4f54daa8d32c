import { expect, test } from "vitest";
import { facetOf, facetParts, facetQuery } from "./facet.ts";

test("unknown names are tags", () => {
  expect(facetOf("release", "1.4.2")).toBe("release:1.4.2");
  expect(facetOf("browser", "Chrome 141")).toBe("tag.browser:Chrome 141");
  expect(facetOf("contexts.os.name", "Linux")).toBe("contexts.os.name:Linux");
  expect(facetOf("contexts.os.build", "1")).toBe("tag.contexts.os.build:1");
  expect(facetOf("a:b", "c")).toBeUndefined();
  expect(facetOf("browser", "")).toBeUndefined();
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
