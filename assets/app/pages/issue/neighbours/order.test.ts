import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { issueKeys } from "../../../api/queries.ts";
import { around, orderQuery } from "./order.ts";

test("the neighbours are those in the list, which has two ends", () => {
  expect(around([7, 5, 3], 5)).toEqual({ place: 1, previous: 7, next: 3 });
  expect(around([7, 5, 3], 7)).toEqual({ place: 0, previous: undefined, next: 5 });
  expect(around([7, 5, 3], 3)).toEqual({ place: 2, previous: 5, next: undefined });
});

test("an issue that the list does not have is followed by the first of the list", () => {
  expect(around([7, 5], 4)).toEqual({ place: -1, previous: undefined, next: 7 });
  expect(around([], 4)).toEqual({ place: -1, previous: undefined, next: undefined });
});

test("the loaded part of the list is used up to the first gap", () => {
  const cache = new QueryClient();
  const filters = { query: "is:unresolved", sort: "last_seen" as const };
  const page = (number: number, from: number, count: number) =>
    cache.setQueryData([...issueKeys.lists(1), "page", filters, number], {
      issues: Array.from({ length: count }, (_, at) => ({ id: from - at })),
      total: 170,
    });
  page(0, 200, 50);
  page(1, 150, 50);
  page(3, 50, 20);
  const { initialData } = orderQuery(cache, 1, filters, "a visit");
  const data = (initialData as () => { pages: { ids: number[]; total: number }[] } | undefined)();
  expect(data?.pages).toHaveLength(1);
  expect(data?.pages[0]).toMatchObject({ total: 170 });
  expect(data?.pages[0]?.ids).toEqual(Array.from({ length: 100 }, (_, at) => 200 - at));
  const other = orderQuery(cache, 1, { query: "other" }, "a visit").initialData;
  expect((other as () => unknown)()).toBeUndefined();
});
