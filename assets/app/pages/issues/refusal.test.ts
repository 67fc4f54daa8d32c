import { expect, test } from "vitest";
import { contextFacets } from "../../issue-search/contexts.ts";
import { refusal } from "./refusal.ts";

const quoted = (text: string) => text.replace(/`(.*)`/, "“$1”");
const contexts = [...contextFacets].join(", ");

test("a refused search is told of without the parameter, and in one line of fields", () => {
  expect(
    refusal(
      `query: there is no field \`colour\`. Fields are is, level, tag.NAME, ${contexts}; put quotes around text that contains a colon`,
    ),
  ).toBe(
    "There is no field “colour”. Fields are is, level, tag.NAME, contexts.…; put quotes around text that contains a colon",
  );
  expect(refusal(`has: expected assignee, release, ${contexts} or tag.NAME, got \`colour\``)).toBe(
    "has: expected assignee, release, contexts.… or tag.NAME, got “colour”",
  );
  expect(refusal("level: expected fatal, got `query: contexts.os.name`")).toBe(
    "level: expected fatal, got “query: contexts.os.name”",
  );
});

test("who asked for a context is told which there are", () => {
  const only = `Only these properties of contexts can be searched: ${contexts}; put`;
  const words = `here is no field \`contexts.a.b\`. ${only}`;
  expect(refusal(`query: t${words}`)).toBe(`T${quoted(words)}`);
  const has = `has: expected assignee, ${contexts} or tag.NAME, got \`contexts.a.b\``;
  expect(refusal(has)).toBe(quoted(has));
});
