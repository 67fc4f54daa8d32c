import { expect, test } from "vitest";
import { droppedWords, missingWords, retriedWords } from "./words.ts";

const retried = { event_id: "e-1", issue_id: null, reason: null };

test("the outcome of a retry is one line", () => {
  expect(retriedWords({ ...retried, outcome: "digested", issue_id: 7 })).toBe(
    "Event e-1 was processed and is in its issue",
  );
  expect(retriedWords({ ...retried, outcome: "set_aside", reason: "the digest panicked on this event" })).toBe(
    "Event e-1 failed again: the digest panicked on this event",
  );
  expect(retriedWords({ ...retried, outcome: "set_aside" })).toBe("Event e-1 failed again");
  expect(retriedWords({ ...retried, outcome: "waiting" })).toContain("waiting in the queue");
});

test("ids and reasons of any length stay short, and one line", () => {
  const words = retriedWords({
    event_id: "x\ny".repeat(500),
    outcome: "set_aside",
    issue_id: null,
    reason: "z\n".repeat(5_000),
  });
  expect(words.length).toBeLessThan(420);
  expect(words).not.toContain("\n");
});

test("counts are described in words", () => {
  expect(missingWords(1)).toBe("1 event could not be processed and belongs to no issue.");
  expect(missingWords(1_000)).toBe("1,000 events could not be processed and belong to no issue.");
  expect(droppedWords(0)).toBeUndefined();
  expect(droppedWords(1)).toBe("1 older event was dropped to make room for newer ones.");
  expect(droppedWords(2)).toBe("2 older events were dropped to make room for newer ones.");
});
