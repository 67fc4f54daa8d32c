import { expect, test } from "vitest";
import type { Activity } from "../../../api/schema.d.ts";
import { activityWords, actorName, sessionOf } from "./words.ts";

const entry = (kind: string, data: Record<string, unknown> = {}, user: Activity["user"] = null): Activity => ({
  id: 1,
  kind: kind as Activity["kind"],
  at: "2026-11-21T10:00:00.000Z",
  user,
  data: data as Activity["data"],
});

test.each([
  ["first_seen", { release: "1.0" }, "was first seen in 1.0"],
  ["resolved", { in_release: "next" }, "resolved it in the next release"],
  ["resolved", {}, "resolved it"],
  ["resolved", { ticket: "ENG-42" }, "ENG-42 resolved it"],
  ["unresolved", { ticket: "ENG-42" }, "ENG-42 reopened it"],
  ["ignored", { events: 100 }, "ignored it until it happens 100 more times"],
  ["ignored", {}, "ignored it indefinitely"],
  ["assigned", { assignee: { name: "", email: "ada@example.com" } }, "assigned it to ada@example.com"],
  ["assigned", { assignee: null }, "assigned it to a deleted account"],
  ["regressed", { release: "2.0" }, "regressed in 2.0: it happened again after it was resolved"],
  ["same_as", { issue_id: 7, short_id: "SHOP-7" }, "is the same as SHOP-7: source maps that came later show it"],
  ["escalating", { count: 120, limit: 10 }, "escalated: 120 events in an hour, where up to 10 are usual"],
  ["run_started", { session_id: "x" }, "began to work on it"],
  ["run_ended", { outcome: "completed" }, "finished its work"],
  ["run_ended", { outcome: "completed", pull_request_url: "https://x" }, "finished its work and opened a pull request"],
  ["run_ended", { outcome: "timed_out" }, "was stopped: it took too long"],
  ["run_ended", {}, "ended"],
  ["run_merged", {}, "had its pull request merged"],
  ["comment", { text: "x" }, "commented"],
  ["comment", { text: "x", by_token: true }, "commented through a program"],
  ["something_new", {}, "something new"],
])("%s %o is put into words", (kind, data, words) => {
  expect(activityWords(entry(kind, data))).toBe(words);
});

test("the one who did it is named, or the issue itself", () => {
  expect(actorName(entry("resolved", {}, { id: 1, email: "ada@example.com", name: "Ada" }))).toBe("Ada");
  expect(actorName(entry("regressed"))).toBe("The issue");
  expect(actorName(entry("resolved"))).toBe("Somebody");
  expect(actorName(entry("run_ended"))).toBe("An agent");
  expect(sessionOf(entry("run_ended", { session_id: "x", session_number: 214 }))).toEqual({
    id: "x",
    name: "Session #214",
  });
  expect(sessionOf(entry("run_ended"))).toBeUndefined();
  expect(sessionOf(entry("comment", { session_id: "x", session_number: 214 }))).toBeUndefined();
  expect(actorName(entry("resolved", { ticket: "ENG-42" }))).toBe("The ticket");
});
