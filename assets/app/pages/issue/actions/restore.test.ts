import { expect, test } from "vitest";
import { issue } from "../samples.ts";
import { changeWords, foresee, kindOf, undoing } from "./restore.ts";

test("an undo restores the status, with relative limits", () => {
  const ignored = issue({
    status: "ignored",
    substatus: null,
    ignore_events: 50,
    ignore_until: "2026-12-01T00:00:00.000Z",
    event_count: 12,
  });
  expect(undoing(ignored, { status: "resolved" })).toEqual({
    status: "ignored",
    ignore_events: 38,
    ignore_until: "2026-12-01T00:00:00.000Z",
  });
  expect(undoing(issue({ status: "resolved", resolved_in_release: "next" }), { status: "unresolved" })).toEqual({
    status: "resolved",
    resolved_in_release: "next",
  });
  expect(undoing(issue(), { status: "resolved" })).toEqual({ status: "unresolved" });
});

test("an undo changes only what was changed", () => {
  expect(undoing(issue({ priority: "low" }), { priority: "high" })).toEqual({ priority: "low" });
  expect(undoing(issue(), { assignee: 7 })).toEqual({ assignee: null });
});

test("the expected answer is shown before it arrives", () => {
  expect(foresee(issue(), { status: "resolved", resolved_in_release: "2.0" })).toMatchObject({
    status: "resolved",
    substatus: null,
    resolved_in_release: "2.0",
  });
  expect(foresee(issue(), { status: "ignored", ignore_events: 10 })).toMatchObject({
    status: "ignored",
    ignore_events: 22,
  });
  const ignored = issue({ status: "ignored", substatus: null, ignore_events: 9 });
  expect(foresee(ignored, { status: "unresolved" })).toMatchObject({ substatus: "ongoing", ignore_events: null });
});

test("a change is described in words", () => {
  expect(changeWords({ status: "resolved" })).toBe("Resolved");
  expect(changeWords({ status: "resolved", resolved_in_release: "next" })).toBe("Resolved in the next release");
  expect(changeWords({ assignee: 3 }, "Ada")).toBe("Assigned to Ada");
  expect(changeWords({ assignee: null })).toBe("Unassigned");
});

test("a change is about one setting", () => {
  expect(kindOf({ status: "resolved", resolved_in_release: "next" })).toBe("status");
  expect(kindOf({ priority: "low" })).toBe("priority");
  expect(kindOf({ assignee: null })).toBe("assignee");
});
