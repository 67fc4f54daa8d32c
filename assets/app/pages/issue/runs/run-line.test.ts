import { expect, test } from "vitest";
import { pullRequestName, runLine } from "./run-line.ts";

type Run = Parameters<typeof runLine>[0][number];
const run = (more: Partial<Run>): Run => ({
  id: "one",
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

test("an issue says of its agents what matters most now", () => {
  const opened = run({ id: "opened", pull_request_url: url });
  const named = { url, name: "pull request #91" };
  expect(runLine([])).toBeUndefined();
  expect(runLine([run({ status: "failed", outcome: "failed" })])).toBeUndefined();
  expect(runLine([run({}), opened])).toEqual({ id: "opened", words: "opened", pullRequest: named });
  expect(runLine([{ ...opened, merged_at: at }])?.state).toBe("merged");
  expect(runLine([{ ...opened, merged_at: at, regressed_at: at }])?.state).toBe("merged, but the issue regressed");
  expect(runLine([{ ...opened, closed_at: at }])?.state).toBe("closed without being merged");
  expect(runLine([run({ id: "held", held_commit: "0123" })])).toEqual({
    id: "held",
    words: "has made changes that wait for a review",
  });
  // What waits for a review is not hidden by what became of earlier work.
  const held = run({ id: "held", held_commit: "0123" });
  expect(runLine([held, { ...opened, closed_at: at }])?.id).toBe("held");
  expect(runLine([opened, held])?.id).toBe("opened");
  // What goes on comes before what was.
  expect(runLine([run({ status: "running" }), opened])?.words).toBe("is working on this issue");
  expect(runLine([opened, run({ status: "running", phase: "waiting_for_person" })])?.words).toBe(
    "is waiting for your answer",
  );
});

test("a pull request is called as its code host numbers it", () => {
  expect(pullRequestName(url)).toBe("pull request #91");
  expect(pullRequestName("https://git.example/acme/shop/pulls/7")).toBe("pull request #7");
  expect(pullRequestName("https://git.example/acme/shop/-/merge_requests/12/diffs")).toBe("merge request !12");
  expect(pullRequestName("https://git.example/acme/shop")).toBe("a pull request");
});
