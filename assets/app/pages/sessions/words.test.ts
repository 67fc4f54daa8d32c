import { expect, test } from "vitest";
import {
  closedWords,
  costOf,
  durationOf,
  lookOf,
  mayContinue,
  questionOf,
  sessionName,
  sinceWords,
  standingWords,
  startedBy,
  toneOf,
  wishes,
} from "./words.ts";

test("a session is called by its number", () => {
  expect(sessionName(1_214)).toBe("Session #1214");
});

test("the state of a session includes pending requests of people", () => {
  const words = (status: Parameters<typeof standingWords>[0]["status"], more: object = {}) =>
    standingWords({ status, outcome: null, wanted: null, ...more });
  expect(words("starting")).toBe("waits for a runner");
  expect(words("running", { wanted: "pause" })).toBe("pausing");
  expect(words("paused", { wanted: "pause" })).toBe("paused");
  expect(words("running", { wanted: "stop" })).toBe("stopping");
  expect(words("stopped", { outcome: "completed", wanted: "stop" })).toBe("completed");
  expect(words("failed", { outcome: "failed" })).toBe("failed");
});

test("work that waits for a review is held back, and no success yet", () => {
  const held = { status: "stopped", outcome: "completed", wanted: null, held_commit: "0123456" } as const;
  expect([standingWords(held), toneOf(held)]).toEqual(["held back", "warning"]);
  const pushed = { ...held, held_commit: null };
  expect([standingWords(pushed), toneOf(pushed)]).toEqual(["completed", "good"]);
  const late = { ...held, outcome: "timed_out" } as const;
  expect([standingWords(late), toneOf(late)]).toEqual(["took too long", "error"]);
});

test("what waits for somebody has another icon than what waits for a runner or was stopped", () => {
  const look = (status: Parameters<typeof lookOf>[0]["status"], more: object = {}) =>
    lookOf({ status, outcome: null, wanted: null, ...more });
  expect(look("starting")).toBe("waits");
  expect(look("suspended")).toBe("waits");
  expect(look("running")).toBe("running");
  expect(look("running", { phase: "waiting_for_person" })).toBe("asks");
  expect(look("running", { phase: "waiting_for_person", wanted: "stop" })).toBe("running");
  expect(look("paused")).toBe("paused");
  expect(look("stopped", { outcome: "completed", held_commit: "0123456" })).toBe("held");
  expect(look("stopped", { outcome: "completed" })).toBe("completed");
  expect(look("stopped", { outcome: "cancelled" })).toBe("stopped");
  expect(look("stopped", { outcome: "no_runner" })).toBe("unserved");
  expect(look("failed", { outcome: "failed" })).toBe("failed");
});

test("a state has lasted for a while, an end was a while ago", () => {
  const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
  const now = Date.parse(at(5));
  const running = { status: "running", phase_since: at(2), ended_at: null } as const;
  expect(sinceWords(running, now)).toBe("for 3 min");
  expect(sinceWords({ ...running, phase_since: at(5) }, now)).toBe("just now");
  expect(sinceWords({ status: "stopped", phase_since: at(1), ended_at: at(4) }, now)).toBe("1 min ago");
});

test("who has started a session, by name where it is known", () => {
  const of = (automation_id: string | null, origin: "api" | "web", names: Parameters<typeof startedBy>[1] = {}) =>
    startedBy({ automation_id, origin }, names);
  const names = { automation: "Look at new errors", person: "Ada" };
  expect(of("1", "web", names)).toEqual({ words: "", name: "Look at new errors" });
  expect(of(null, "api", { person: "Ada" })).toEqual({ words: "a key or a token of ", name: "Ada" });
  expect(of(null, "web", { person: "Ada" })).toEqual({ words: "", name: "Ada" });
  expect(of("1", "web")).toEqual({ words: "an automation" });
  expect(of(null, "api")).toEqual({ words: "a key or a token" });
  expect(of(null, "web")).toEqual({ words: "a person" });
});

test("only possible actions are offered", () => {
  const of = (status: Parameters<typeof wishes>[0]["status"], wanted: "pause" | "stop" | null = null) =>
    Object.entries(wishes({ status, outcome: null, wanted })).flatMap(([name, may]) => (may ? [name] : []));
  expect(of("starting")).toEqual(["stop"]);
  expect(of("running")).toEqual(["pause", "stop"]);
  expect(of("running", "pause")).toEqual(["stop"]);
  expect(of("paused", "pause")).toEqual(["resume", "stop"]);
  expect(of("running", "stop")).toEqual([]);
  expect(of("stopped")).toEqual([]);
  const capped = { status: "paused", outcome: null, wanted: null, reason: "it has used 5 tokens" } as const;
  expect(wishes(capped).resume).toBe(false);
  expect(mayContinue(capped)).toBe(true);
  expect(mayContinue({ ...capped, reason: null })).toBe(false);
});

test("only an end in success is good", () => {
  expect(toneOf({ status: "stopped", outcome: "completed", wanted: null })).toBe("good");
  expect(toneOf({ status: "stopped", outcome: "timed_out", wanted: null })).toBe("error");
  expect(toneOf({ status: "running", outcome: null, wanted: null })).toBe("info");
  expect(toneOf({ status: "running", outcome: null, wanted: null, phase: "waiting_for_person" })).toBe("warning");
});

test("a duration is shown without tenths, and grows while the session runs", () => {
  const began = "2026-01-01T00:00:00.000Z";
  const now = Date.parse("2026-01-01T00:02:05.000Z");
  const of = (status: Parameters<typeof durationOf>[0]["status"], active_seconds: number, started_at: string | null) =>
    durationOf({ status, active_seconds, started_at }, now);
  expect(of("stopped", 42, began)).toBe("42 s");
  expect(of("stopped", 0, began)).toBe("0 s");
  expect(of("starting", 0, null)).toBe("");
  expect(of("running", 3, began)).toBe("2 min 5 s");
});

test("a session's cost names the part of its model calls, where it has another", () => {
  const of = (cost_usd: number, ofModels = 0, started_at: string | null = "2026-01-01T00:00:00.000Z") =>
    costOf({ cost_usd, started_at }, ofModels);
  expect(of(0, 0, null)).toBe("$0.00");
  expect(of(0)).toBe("unknown");
  expect(of(0, 0.25)).toBe("$0.25");
  expect(of(1.2)).toBe("$1.20");
  expect(of(1.2, 1.2)).toBe("$1.20");
  expect(of(1.2, 0.25)).toBe("$1.20, $0.25 of it for model calls");
});

test("the agent's question is the last one in the transcript", () => {
  const asks = (number: number, title: string) =>
    `The agent asks for permission (${number}): “${title}”. Allow or refuse?`;
  const note = (text: string) => ({ role: "system", text }) as const;
  expect(questionOf([note("Checking out shop.")])).toBeUndefined();
  const blocks = [
    note(asks(1, "ls")),
    note(`Allowed: “ls”.\n${asks(2, "rm -r src")}`),
    { role: "agent", text: asks(9, "no") } as const,
  ];
  expect(questionOf(blocks)).toEqual({ number: 2, title: "rm -r src" });
});

test("a closed pull request shows who closed it, and the last comment", () => {
  const words = (closed_by: string | null, last?: [by: string, text: string]) =>
    closedWords({
      closed_by,
      last_comment: last ? { by: last[0], text: last[1], at: "2026-01-01T00:00:00.000Z" } : null,
    });
  expect(words(null)).toBe("closed without being merged");
  expect(words("ada")).toBe("closed by ada");
  expect(words("ada", ["ada", "Not the cause."])).toBe("closed by ada: “Not the cause.”");
  expect(words("ada", ["bob", "Not the cause."])).toBe("closed by ada; bob said “Not the cause.”");
});
