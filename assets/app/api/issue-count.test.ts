import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { api } from "./client.ts";
import { unresolvedCountQuery } from "./issue-count.ts";
import { issuesQuery, unresolvedOnly } from "./queries.ts";

const own = 7;
const listed = 12;
const failed = { error: { detail: "no" }, response: new Response(null, { status: 500 }) };
const answer = (total: number) => ({ data: { issues: [], total, has_more: false }, response: new Response() });

/** Mocks the server; returns the requests that are sent. The list can be refused. */
function serve({ isRefused = false } = {}): string[] {
  const sent: string[] = [];
  const get = (_: string, { params }: { params: { query: { limit: number } } }) => {
    const isCount = params.query.limit === 1;
    sent.push(isCount ? "count" : "list");
    return Promise.resolve(isCount ? answer(own) : isRefused ? failed : answer(listed));
  };
  vi.spyOn(api, "GET").mockImplementation(get as never);
  return sent;
}

afterEach(() => void vi.restoreAllMocks());

const cacheOf = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });
const list = (query: string, limits = {}) => issuesQuery(1, { query, sort: "last_seen", ...limits }, 0);
const count = (cache: QueryClient, limits = {}) => cache.fetchQuery(unresolvedCountQuery(1, limits));

test("alone it is requested", async () => {
  const sent = serve();
  expect(await count(cacheOf())).toBe(own);
  expect(sent).toEqual(["count"]);
});

test("a fresh or pending list of all unresolved issues provides it", async () => {
  const sent = serve();
  const cache = cacheOf();
  // Whichever is requested first.
  const [total] = await Promise.all([count(cache), cache.prefetchQuery(list(unresolvedOnly))]);
  expect(total).toBe(listed);
  await cache.invalidateQueries({ queryKey: unresolvedCountQuery(1).queryKey });
  expect(await count(cache)).toBe(listed);
  expect(sent).toEqual(["list"]);
});

test("within an environment or a period it is another number, which a list within the same says", async () => {
  const sent = serve();
  const cache = cacheOf();
  const limits = { environment: "qa", period: "7d" };
  await cache.prefetchQuery(list(unresolvedOnly, limits));
  expect(await count(cache, limits)).toBe(listed);
  expect(await count(cache)).toBe(own);
  expect(await count(cache, { environment: "qa" })).toBe(own);
  expect(sent).toEqual(["list", "count", "count"]);
});

test("other, stale and failed lists give no count", async () => {
  const sent = serve();
  const cache = cacheOf();
  await cache.prefetchQuery(list("cart"));
  expect(await count(cache)).toBe(own);
  const old = cacheOf();
  await old.prefetchQuery(list(unresolvedOnly));
  await old.invalidateQueries();
  expect(await count(old)).toBe(own);
  expect(sent).toEqual(["list", "count", "list", "count"]);
  const refused = serve({ isRefused: true });
  const failing = cacheOf();
  const [total] = await Promise.all([count(failing), failing.prefetchQuery(list(unresolvedOnly))]);
  expect([total, ...refused]).toEqual([own, "list", "count"]);
});
