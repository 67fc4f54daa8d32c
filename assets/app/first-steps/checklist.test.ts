import { expect, test } from "vitest";
import { type Facts, isSetUp, stepsOf } from "./checklist.ts";

const nothing: Facts = { keys: 0, issues: 0, hasMaps: false, others: 0 };
const owner = { project: 1, organization: 2, platform: null, mayAdminister: true };
const done = (facts: Facts, place: Parameters<typeof stepsOf>[0] = owner) =>
  stepsOf(place, facts).map(({ id, done: isDone }) => `${id} ${isDone}`);

test("each step is done depending on its own facts", () => {
  expect(done(nothing)).toEqual(["key false", "event false", "maps false", "people false"]);
  expect(done({ ...nothing, keys: 1 })).toEqual(["key true", "event false", "maps false", "people false"]);
  expect(done({ ...nothing, hasMaps: true })[2]).toBe("maps true");
  expect(done({ ...nothing, others: 1 })[3]).toBe("people true");
});

test("an event implies that there was a key, even if it was revoked", () => {
  expect(done({ ...nothing, issues: 3 }).slice(0, 2)).toEqual(["key true", "event true"]);
});

test("unknown facts leave a step neither done nor open", () => {
  const facts: Facts = { keys: undefined, issues: undefined, hasMaps: undefined, others: undefined };
  expect(done(facts)).toEqual(["key undefined", "event undefined", "maps undefined", "people undefined"]);
  expect(isSetUp(stepsOf(owner, facts))).toBe(false);
});

test("source maps are for JavaScript, and keys and people for those who may administer", () => {
  const ids = (place: Parameters<typeof stepsOf>[0]) => stepsOf(place, nothing).map(({ id }) => id);
  expect(ids({ ...owner, platform: "python" })).toEqual(["key", "event", "people"]);
  expect(ids({ ...owner, platform: "ruby" })).toEqual(["key", "event", "people"]);
  for (const platform of ["react", "Node.js", "javascript", ""])
    expect(ids({ ...owner, platform }), platform).toContain("maps");
  expect(ids({ ...owner, mayAdminister: false })).toEqual(["event", "maps"]);
});

test("a project is set up once every step is done", () => {
  expect(isSetUp(stepsOf(owner, { keys: 1, issues: 1, hasMaps: true, others: 1 }))).toBe(true);
  expect(isSetUp(stepsOf(owner, { keys: 1, issues: 1, hasMaps: true, others: 0 }))).toBe(false);
});
