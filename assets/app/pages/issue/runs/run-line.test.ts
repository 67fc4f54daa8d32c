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
  expect(runLine(session({ held_commit: "0123" }))).toEqual({
    words: "is held back: its changes wait for a review",
  });
  expect(runLine(session({ status: "suspended", pull_request_url: url }))).toEqual({
    words: "waits for another runner",
  });
});

test("it says where the session is in the words of the session's page", () => {
  const words = (more: Partial<IssueSession>) => runLine(session({ outcome: null, ...more })).words;
  expect(words({ status: "starting", phase: "waiting_for_runner" })).toBe("waits for a runner");
  expect(words({ status: "running", phase: "preparing" })).toBe("is preparing");
  expect(words({ status: "running", phase: "working" })).toBe("is working");
  expect(words({ status: "running", phase: "waiting_for_person" })).toBe("is waiting for you");
  expect(words({ status: "running", phase: "proving" })).toBe("is being tested");
  expect(words({ status: "paused" })).toBe("is paused");
});

test("a pull request is called as its code host numbers it", () => {
  expect(pullRequestName(url)).toBe("pull request #91");
  expect(pullRequestName("https://git.example/acme/shop/pulls/7")).toBe("pull request #7");
  expect(pullRequestName("https://git.example/acme/shop/-/merge_requests/12/diffs")).toBe("merge request !12");
  expect(pullRequestName("https://git.example/acme/shop")).toBe("a pull request");
});
