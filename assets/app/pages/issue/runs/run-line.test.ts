import { expect, test } from "vitest";
import type { IssueSession } from "../../../api/schema.d.ts";
import { pullRequestName, runLine } from "./run-line.ts";

const session = (more: Partial<IssueSession>): IssueSession => ({
  id: "one",
  number: 214,
  status: "stopped",
  phase: "working",
  outcome: "completed",
  held_commit: null,
  pull_request_url: null,
  merged_at: null,
  closed_at: null,
  regressed_at: null,
  ...more,
});
const url = "https://git.example/acme/shop/pull/91";
const at = "2026-11-21T10:00:00.000Z";

test("an issue says what its agent does, or what became of its work", () => {
  const opened = session({ pull_request_url: url });
  expect(runLine(opened)).toEqual({ words: "opened", pullRequest: { url, name: "pull request #91" } });
  expect(runLine({ ...opened, merged_at: at }).state).toBe("merged");
  expect(runLine({ ...opened, merged_at: at, regressed_at: at }).state).toBe("merged, but the issue regressed");
  expect(runLine({ ...opened, closed_at: at }).state).toBe("closed without being merged");
  expect(runLine(session({ held_commit: "0123" }))).toEqual({ words: "has made changes that wait for a review" });
  expect(runLine(session({ status: "running" })).words).toBe("is working on this issue");
  expect(runLine(session({ status: "suspended", pull_request_url: url }))).toEqual({
    words: "is waiting for another runner",
  });
  expect(runLine(session({ status: "running", phase: "waiting_for_person" })).words).toBe("is waiting for your answer");
});

test("a pull request is called as its code host numbers it", () => {
  expect(pullRequestName(url)).toBe("pull request #91");
  expect(pullRequestName("https://git.example/acme/shop/pulls/7")).toBe("pull request #7");
  expect(pullRequestName("https://git.example/acme/shop/-/merge_requests/12/diffs")).toBe("merge request !12");
  expect(pullRequestName("https://git.example/acme/shop")).toBe("a pull request");
});
