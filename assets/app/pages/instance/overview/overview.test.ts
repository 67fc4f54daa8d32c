import { expect, test } from "vitest";
import type { JobStatus } from "../../../api/schema.d.ts";
import { inOrder, jobLabel } from "./jobs.ts";
import { methodNames } from "./methods.ts";

const job = (name: string, succeeded?: boolean): JobStatus => ({
  name,
  running: false,
  runs: 1,
  failures: 0,
  last_run: succeeded === undefined ? null : { began_at: "2026-11-23T03:00:00Z", duration_ms: 1, succeeded },
});

test("jobs whose last run failed come first", () => {
  const names = inOrder([job("b", true), job("c", false), job("a"), job("d", false)]).map(({ name }) => name);
  expect(names).toEqual(["c", "d", "a", "b"]);
  expect(jobLabel("update_check")).toBe("Update check");
});

test("sign-in methods have the names of their buttons", () => {
  const sso = { enabled: true, display_name: "Acme ID" };
  expect(methodNames({ password_login: true, github: true, sso })).toEqual([
    "e-mail and password",
    "Acme ID",
    "GitHub",
  ]);
  expect(methodNames({ password_login: false, github: false, sso: { ...sso, enabled: false } })).toEqual([]);
});
