import { expect, test } from "vitest";
import { suggestions } from "./suggest.ts";

const known = {
  releases: ["1.0.0", "2.0 beta"],
  environments: ["production"],
  members: [{ email: "ada@example.com", name: "Ada" }],
};
const texts = (typed: string) => suggestions(typed, known).map(({ text }) => text);

test("without a colon the keys are offered, negated ones too", () => {
  expect(texts("re")).toEqual(["release:"]);
  expect(texts("-le")).toEqual(["-level:"]);
  expect(texts("tag")).toEqual(["tag."]);
  expect(texts("con")).toEqual(["contexts."]);
  expect(texts("-contexts.os")).toEqual(["-contexts.os.name:", "-contexts.os.version:"]);
  expect(texts("contexts.")).toHaveLength(10);
  expect(texts("").length).toBeGreaterThan(5);
});

test("after the colon values are suggested, quoted if necessary", () => {
  expect(texts("is:regr")).toEqual(["is:regressed"]);
  expect(texts("release:")).toEqual(["release:1.0.0", 'release:"2.0 beta"']);
  expect(texts("-assignee:ada")).toEqual(["-assignee:ada@example.com"]);
  expect(texts("environment:PROD")).toEqual(["environment:production"]);
});

test("ages are suggested for times, and found by their words", () => {
  expect(texts("first_se")).toEqual(["first_seen:"]);
  expect(texts("last_seen:>")).toEqual(["last_seen:>1h", "last_seen:>24h", "last_seen:>7d"]);
  expect(texts("-first_seen:7 days")).toEqual(["-first_seen:>7d", "-first_seen:<7d"]);
});

test("complete and unknown terms get no suggestions", () => {
  expect(texts("level:error")).toEqual([]);
  expect(texts("nonsense:")).toEqual([]);
  expect(texts("cart")).toEqual([]);
});
