import { expect, test } from "vitest";
import { workOf } from "./take-over.ts";

const session: Parameters<typeof workOf>[0] = {
  status: "running",
  reason: null,
  attempts: 1,
  head_commit: null,
  branch_name: "mayday/fix",
  held_commit: null,
  repo: null,
};

test("whoever takes over is told where the work is, and what may be lost", () => {
  expect(workOf(session).words).toMatch(
    /^Nothing has been pushed\. What .* appears on this page .* It is lost if the runner/,
  );
  expect(workOf(session).commands).toBeUndefined();
  expect(workOf({ ...session, status: "starting", attempts: 0 }).words).toMatch(/there is no work/);
  expect(workOf({ ...session, status: "suspended" }).words).toMatch(/was not kept\.$/);
  expect(workOf({ ...session, status: "paused", reason: "its runner was stopped" }).words).toMatch(/was not kept\.$/);
  expect(workOf({ ...session, status: "paused" }).words).toMatch(/appears on this page/);
  expect(workOf({ ...session, status: "failed" }).words).toMatch(/as far as its runner could keep it\.$/);
  expect(workOf({ ...session, status: "paused", held_commit: "0123" }).words).toMatch(/stays on this page/);
});

test("the commands get the branch, whatever its name has in it", () => {
  const pushed = { ...session, head_commit: "0123" };
  expect(workOf(pushed).commands).toBe("git fetch origin mayday/fix\ngit switch mayday/fix");
  expect(workOf({ ...pushed, branch_name: "mayday/it's;x" }).commands).toContain("git switch 'mayday/it'\\''s;x'");
});
