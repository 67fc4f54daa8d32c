import { environmentManager, QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { recountViews } from "./recount.ts";
import { viewNamesQuery, viewsKey } from "./views.ts";

afterEach(() => {
  vi.useRealTimers();
  environmentManager.setIsServer(() => true);
});

function makeCache(): QueryClient {
  vi.useFakeTimers();
  environmentManager.setIsServer(() => false);
  return new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, networkMode: "always" } } });
}

test("views are counted again after a change of one's own, and of many, once a second", async () => {
  const cache = makeCache();
  const asked = { count: 0, list: 0, names: 0, other: 0 };
  const keep = (name: keyof typeof asked, queryKey: readonly unknown[]) => {
    const queryFn = () => {
      asked[name] += 1;
      return Promise.resolve(asked[name]);
    };
    return new QueryObserver(cache, { queryKey, queryFn }).subscribe(() => undefined);
  };
  const ends = [
    keep("count", [...viewsKey(1), "count", "is:new", {}]),
    keep("list", [...viewsKey(1), "list", {}]),
    keep("names", viewNamesQuery(1).queryKey),
    keep("other", [...viewsKey(2), "count", "is:new", {}]),
  ];
  await vi.advanceTimersByTimeAsync(10);
  recountViews(cache, 1);
  await vi.advanceTimersByTimeAsync(10);
  expect(asked, "at once").toEqual({ count: 2, list: 2, names: 1, other: 1 });
  for (let change = 0; change < 10; change += 1) recountViews(cache, 1);
  await vi.advanceTimersByTimeAsync(900);
  expect(asked.count).toBe(2);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked, "once for all of them").toEqual({ count: 3, list: 3, names: 1, other: 1 });
  for (const end of ends) end();
});

test("who goes on changing issues has their views counted less often, but after the last change", async () => {
  const cache = makeCache();
  const queryFn = vi.fn(() => Promise.resolve(1));
  const end = new QueryObserver(cache, { queryKey: [...viewsKey(1), "count"], queryFn }).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  for (let change = 0; change < 10; change += 1) {
    recountViews(cache, 1);
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(queryFn).toHaveBeenCalledTimes(7);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(queryFn).toHaveBeenCalledTimes(8);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(queryFn, "nothing has changed since").toHaveBeenCalledTimes(8);
  end();
});
