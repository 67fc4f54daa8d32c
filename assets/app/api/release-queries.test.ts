import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { api } from "./client.ts";
import { keptWithin } from "./placeholder.ts";
import { askProjectTrend, askReleaseTrend, comparisonQuery, nextOffset, releaseQuery } from "./release-queries.ts";

test("the next page starts after what was got, until all of it was", () => {
  const rows = (count: number) => Array.from({ length: count });
  expect(nextOffset([{ rows: rows(50), total: 120 }])).toBe(50);
  expect(
    nextOffset([
      { rows: rows(50), total: 120 },
      { rows: rows(50), total: 121 },
    ]),
  ).toBe(100);
  expect(nextOffset([{ rows: rows(3), total: 3 }])).toBeUndefined();
  // Deleted meanwhile: an empty page is the end, whatever the total says.
  expect(
    nextOffset([
      { rows: rows(50), total: 120 },
      { rows: [], total: 120 },
    ]),
  ).toBeUndefined();
  expect(nextOffset([])).toBeUndefined();
});

test("what a release has is asked for in the environment, if there is one, and kept apart by it", async () => {
  const asked: unknown[] = [];
  const get = vi.spyOn(api, "GET").mockImplementation((async (_: string, { params }: { params: { query: object } }) => {
    asked.push(params.query);
    return { data: { number: asked.length }, response: new Response() };
  }) as never);
  const cache = new QueryClient();
  const of = async (environment: string | undefined) => {
    const signal = new AbortController().signal;
    const found = [
      await cache.fetchQuery({ ...releaseQuery(1, "2", environment), staleTime: Number.POSITIVE_INFINITY }),
      await cache.fetchQuery({ ...comparisonQuery(1, "2", "1", environment), staleTime: Number.POSITIVE_INFINITY }),
    ];
    await askReleaseTrend(1, "2", { hours: 24, environment }, signal);
    await askProjectTrend(1, { hours: 24, environment }, signal);
    return found;
  };
  const [anywhere, there] = [await of(undefined), await of("qa")];
  expect(asked).toEqual([
    {},
    { with: "1" },
    { hours: 24 },
    { hours: 24 },
    { environment: "qa" },
    { with: "1", environment: "qa" },
    { hours: 24, environment: "qa" },
    { hours: 24, environment: "qa" },
  ]);
  expect(there).not.toEqual(anywhere);
  get.mockRestore();
});

test("figures stay only while others of the same environment are loaded", async () => {
  const get = vi.spyOn(api, "GET").mockImplementation((async (
    _: string,
    { params }: { params: { query: object } },
  ) => ({
    data: params.query,
    response: new Response(),
  })) as never);
  const first = comparisonQuery(1, "2", "1", "production");
  const seen = new QueryObserver(new QueryClient(), first);
  const end = seen.subscribe(() => undefined);
  await vi.waitFor(() => expect(seen.getCurrentResult().data).toEqual({ with: "1", environment: "production" }));
  const asked = seen.getCurrentResult().data;
  seen.setOptions(comparisonQuery(1, "2", "0", "production"));
  expect(seen.getCurrentResult()).toMatchObject({ data: asked, isPlaceholderData: true });
  for (const [version, environment] of [
    ["2", "staging"],
    ["2", undefined],
    ["3", "production"],
  ] as const) {
    seen.setOptions(first);
    expect(seen.getCurrentResult().data).toEqual(asked);
    seen.setOptions(comparisonQuery(1, version, "1", environment));
    expect(seen.getCurrentResult().data).toBeUndefined();
  }
  end();
  get.mockRestore();
});

test("an answer is kept where all but the end of the question is the same", () => {
  const before = (...queryKey: unknown[]) => keptWithin(["a", null])("answer", { queryKey });
  expect([before("a", null, "trend", 24), before("a", null)]).toEqual(["answer", "answer"]);
  expect([before("a", "qa", "trend", 24), before("a")]).toEqual([undefined, undefined]);
  expect(keptWithin([])("answer", undefined)).toBeUndefined();
});
