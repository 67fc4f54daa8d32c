import { expect, test } from "vitest";
import type { EventSummary } from "../../../api/schema.d.ts";
import { rowsOf } from "./rows.ts";

const page = (...ids: number[]) => ({ events: ids.map((id) => ({ id }) as EventSummary) });

test("an event that two pages have is one row", () => {
  expect(rowsOf([page(5, 4), page(4, 3)]).map(({ id }) => id)).toEqual([5, 4, 3]);
  expect(rowsOf([])).toEqual([]);
});
