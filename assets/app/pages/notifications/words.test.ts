import { expect, test } from "vitest";
import type { Notification } from "../../api/schema.d.ts";
import { factsOf, issueOf, linkOf } from "./words.ts";

const one = (fields: object): Notification => ({ category: "error", source_type: "issue", ...fields }) as Notification;
const about = (notification_metadata: object, fields: object = {}) => one({ notification_metadata, ...fields });

test("an issue shows how often it happened, and to how many users", () => {
  expect(factsOf(about({ event_count: 1, affected_users: 0 }))).toEqual(["1 event"]);
  expect(factsOf(about({ event_count: 1234567, affected_users: 2 }))).toEqual(["1,234,567 events", "2 users"]);
});

test("a combined notification shows how many it stands for", () => {
  expect(factsOf(about({ event_count: 7, affected_users: null }, { source_type: "project" }))).toEqual(["7 events"]);
});

test("others have no figures", () => {
  expect(factsOf(about({ event_count: 7 }, { category: "team" }))).toEqual([]);
});

test("a link leads to the Web or nowhere", () => {
  expect(linkOf(about({ url: "https://status.example/1" }))).toBe("https://status.example/1");
  for (const url of [null, undefined, 7, "", "javascript:alert(1)", "//x", "https://", "https:// x"])
    expect(linkOf(about({ url }))).toBeUndefined();
});

test("one of an issue is read in the inbox, and no other", () => {
  const metadata = { project_id: 3, issue_id: 7 };
  expect(issueOf(about(metadata))).toEqual({ project: 3, issue: 7 });
  for (const other of [about(metadata, { source_type: "project" }), about({ project_id: 3 })])
    expect(issueOf(other)).toBeUndefined();
});
