import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { suggestions } from "./suggest.ts";

const known = {
  releases: ["1.0.0", "2.0 beta"],
  environments: ["production"],
  members: [{ email: "ada@example.com", name: "Ada" }],
  facets: {
    user: [{ value: "7", about: "ada@example.com" }],
    "tag.Locale": [{ value: "de", about: "" }],
    "contexts.os.name": [
      { value: "Mac OS", about: "" },
      { value: "Linux", about: "" },
    ],
  },
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

test("lists of the app are whole, of the project's values a few are suggested", () => {
  expect(texts("is:")).toHaveLength(11);
  const releases = Array.from({ length: 20 }, (_, at) => `1.${at}`);
  expect(suggestions("release:", { ...known, releases })).toHaveLength(8);
  expect(texts("assignee:")).toEqual(["assignee:me", "assignee:none", "assignee:ada@example.com"]);
});

test("values that begin with what is typed come first, however many hold it", () => {
  expect(texts("is:un")).toEqual(["is:unresolved", "is:unassigned", "is:high-value", "is:ongoing"]);
  expect(texts("is:assigned")).toEqual(["is:mine", "is:unassigned"]);
  const environments = [...Array.from({ length: 20 }, (_, at) => `pre-production-${at}`), "production"];
  expect(suggestions("environment:prod", { ...known, environments })[0]?.text).toBe("environment:production");
});

test("complete and unknown terms get no suggestions", () => {
  expect(texts("level:error")).toEqual([]);
  expect(texts("nonsense:")).toEqual([]);
  expect(texts("constructor:")).toEqual([]);
  expect(texts("contexts.device.model:")).toEqual([]);
  expect(texts("cart")).toEqual([]);
});

test("values of contexts, tags and users are suggested", () => {
  expect(texts("contexts.os.name:")).toEqual(['contexts.os.name:"Mac OS"', "contexts.os.name:Linux"]);
  expect(texts("-Contexts.OS.name:lin")).toEqual(["-contexts.os.name:Linux"]);
  expect(texts("tag.")).toEqual(["tag.Locale:"]);
  expect(texts("tag.Locale:")).toEqual(["tag.Locale:de"]);
  expect(texts("user:ada")).toEqual(["user:7"]);
  expect(texts("has:")).toContain("has:tag.Locale");
});

test("every field that the server names is offered", () => {
  const code = readFileSync(new URL("../../../../src/issues/query.rs", import.meta.url), "utf8");
  const list = /const KEYS[^=]*= \[([^\]]*)\]/.exec(code)?.[1] ?? "";
  const named = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => `${name}:`);
  expect(named).toContain("status:");
  expect(texts("").sort()).toEqual([...named, "tag.", "contexts."].sort());
});
