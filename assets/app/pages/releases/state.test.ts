import { expect, test } from "vitest";
import { stateOf } from "./state.ts";

test("a release without source maps is not shown as complete", () => {
  const finalized_at = "2026-11-21T00:00:00Z";
  expect(stateOf({ id: 1, finalized_at, source_map_count: 0 })).toBe("bare");
  expect(stateOf({ id: 1, finalized_at, source_map_count: 3 })).toBe("complete");
  expect(stateOf({ id: 1, finalized_at: null, source_map_count: 0 })).toBe("open");
  expect(stateOf({ id: null, finalized_at: null, source_map_count: 0 })).toBe("seen");
});
