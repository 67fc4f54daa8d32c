import { expect, test } from "vitest";
import type { Issue } from "../../api/schema.d.ts";
import { undoing } from "./change.ts";

const issue = (id: number, rest: Partial<Issue> = {}) =>
  [id, { id, status: "unresolved", assignee: null, priority: "high", ...rest } as Issue] as const;
const ada = { id: 7, email: "ada@example.com", name: "Ada", created_at: "" };

test("an undo restores each issue's earlier state", () => {
  const known = new Map([issue(1), issue(2, { assignee: ada }), issue(3)]);
  expect(undoing([1, 2, 3], { status: "resolved" }, known)).toEqual([
    { ids: [1, 2, 3], change: { status: "unresolved" } },
  ]);
  expect(undoing([1, 2, 3], { assignee: 9 }, known)).toEqual([
    { ids: [1, 3], change: { assignee: null } },
    { ids: [2], change: { assignee: 7 } },
  ]);
});

test("no undo is offered if it could not restore everything", () => {
  const known = new Map([issue(1), issue(2, { status: "ignored" })]);
  expect(undoing([1, 2], { status: "resolved" }, known)).toBeUndefined();
  expect(undoing([1, 99], { priority: "low" }, known)).toBeUndefined();
});
