import {
  environmentManager,
  focusManager,
  QueryClient,
  QueryClientProvider,
  QueryObserver,
} from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { api } from "../api/client.ts";
import type { View } from "../api/schema.d.ts";
import {
  changeView,
  countedWords,
  deleteView,
  keeps,
  keptWords,
  leftWords,
  shownView,
  takeOver,
  useViewNames,
  useViews,
  viewNamesQuery,
  viewSearch,
  viewsQuery,
  viewWords,
} from "./views.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  environmentManager.setIsServer(() => true);
  focusManager.setFocused(undefined);
});

const [newest, wrong, oldest] = [
  { name: "Newest", query: "is:new" },
  { name: "Wrong", query: "relase:1" },
  { name: "Oldest", query: "cart" },
];

test("views of the browser are kept in their order, and what is refused stays", async () => {
  const kept: string[] = [];
  const refusal = new Error("query: there is no field `relase`");
  const { left, why } = await takeOver([newest, wrong, oldest], async ({ name }) => {
    if (name === "Wrong") throw refusal;
    kept.push(name);
  });
  expect(kept).toEqual(["Oldest", "Newest"]);
  expect(left).toEqual([wrong]);
  expect(why).toBe(refusal);
});

test("where all are kept, none stays", async () => {
  expect(await takeOver([newest, oldest], async () => {})).toEqual({ left: [], why: undefined });
});

const errors = { name: "Errors", query: "level:error" };
const inProduction = { ...errors, name: "In production", environment: "production", period: null };
const lately = { ...errors, name: "Lately", environment: "production", period: "7d" };

test("a view shows its own limits, and where it has none, those that are chosen stay", () => {
  const chosen = { environment: "staging", period: "24h" } as const;
  expect(viewSearch(lately, chosen)).toEqual({
    status: "all",
    query: "level:error",
    environment: "production",
    period: "7d",
  });
  expect(viewSearch(inProduction, chosen)).toMatchObject({ environment: "production", period: "24h" });
  expect(viewSearch({ ...errors, sort: "users" }, chosen)).toMatchObject({ ...chosen, sort: "users" });
  expect(viewSearch({ ...lately, sort: "last_seen" }, {}).sort).toBeUndefined();
  // One that this version does not know.
  expect(viewSearch({ ...errors, period: "2w" }, {}).period).toBeUndefined();
});

test("the view that is shown is the one with most of the list's limits", () => {
  const all = [errors, inProduction, lately];
  const shown = (environment?: string, period?: "24h" | "7d") =>
    shownView(all, "level:error", { environment, period })?.name;
  expect(shown()).toBe("Errors");
  expect(shown("staging", "7d")).toBe("Errors");
  expect(shown("production")).toBe("In production");
  expect(shown("production", "24h")).toBe("In production");
  expect(shown("production", "7d")).toBe("Lately");
  expect(shownView(all, "level:fatal", {})).toBeUndefined();
  expect(shownView([lately], "level:error", { environment: "production" })).toBeUndefined();
});

test("what a view keeps is said in words", () => {
  expect(keptWords(errors)).toBe("");
  expect(keptWords({ ...lately, sort: "events" })).toBe("in production in the last 7 days, sorted by events");
  expect(viewWords(inProduction)).toBe("level:error in production");
  expect(viewWords({ query: "", sort: "first_seen" })).toBe("all issues sorted by first seen");
  expect(leftWords(errors)).toMatch(/no environment and no period/);
  expect(leftWords(inProduction)).toMatch(/no period, so it opens with the one/);
  expect(leftWords({ query: "", period: "7d" })).toMatch(/no environment, so it opens with the one/);
  expect(leftWords(lately)).toBe("");
});

test("a view keeps what a list shows if nothing of it differs", () => {
  expect(keeps({ query: "status:resolved cart" }, { query: "is:resolved cart" })).toBe(true);
  expect(keeps({ ...lately, sort: "last_seen" }, lately)).toBe(true);
  expect(keeps({ ...errors, environment: null }, errors)).toBe(true);
  expect(keeps(errors, { ...errors, query: "level:fatal" })).toBe(false);
  expect(keeps(errors, { ...errors, sort: "users" })).toBe(false);
  expect(keeps(inProduction, errors)).toBe(false);
  expect(keeps(lately, inProduction)).toBe(false);
});

test("a view's number of issues says within what they are counted", () => {
  const chosen = { environment: "staging", period: "24h" } as const;
  expect(countedWords(errors, {})).toBe("issues");
  expect(countedWords(errors, chosen)).toBe("issues in staging in the last 24 hours");
  expect(countedWords(inProduction, chosen)).toBe("issues in production in the last 24 hours");
  expect(countedWords(lately, chosen)).toBe("issues in production in the last 7 days");
});

interface Asked {
  params: { query: { counts?: boolean; period?: string } };
}

/** Mocks the server, which gives up counting within a period; returns what it is asked for. */
function serve() {
  const asked: Asked["params"]["query"][] = [];
  const get = (_: string, { params: { query } }: Asked) => {
    asked.push(query);
    const answer = { views: [{ id: 1, name: "Late", issue_count: query.counts === false ? null : 5 }], total: 1 };
    const isRefused = query.period !== undefined;
    return Promise.resolve(
      isRefused
        ? { error: { detail: "no" }, response: new Response(null, { status: 503 }) }
        : { data: answer, response: new Response() },
    );
  };
  vi.spyOn(api, "GET").mockImplementation(get as never);
  vi.spyOn(api, "PATCH").mockResolvedValue({ data: {}, response: new Response() } as never);
  return asked;
}

const cacheOf = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

/** What a component gets that uses them. */
function used(cache: QueryClient, views: () => View[]): string {
  const Names = () =>
    createElement(
      "p",
      null,
      views().map(({ name, issue_count }) => `${name} ${issue_count}`),
    );
  const markup = renderToStaticMarkup(createElement(QueryClientProvider, { client: cache }, createElement(Names)));
  return markup.replaceAll(/<[^>]*>/g, "");
}

test("views stay without their counts where these are not known", async () => {
  const asked = serve();
  const cache = cacheOf();
  await cache.prefetchQuery(viewsQuery(1, {}));
  expect(used(cache, () => useViews(1, {}))).toBe("Late 5");
  expect(
    used(cache, () => useViews(1, { environment: "production" })),
    "not counted yet",
  ).toBe("Late null");
  await cache.prefetchQuery(viewsQuery(1, { period: "7d" }));
  expect(
    used(cache, () => useViews(1, { period: "7d" })),
    "not to be counted",
  ).toBe("Late null");
  expect(used(cache, () => useViewNames(1))).toBe("Late null");
  expect(used(cache, () => useViewNames(undefined))).toBe("");
  expect(asked, "names came with the counts").toEqual([{}, { period: "7d" }]);
});

test("counting that took too long is tried again after a minute, whoever else wants to know", async () => {
  vi.useFakeTimers();
  environmentManager.setIsServer(() => false);
  const asked = serve();
  const cache = new QueryClient({
    defaultOptions: { queries: { retry: 2, retryDelay: 1_000, networkMode: "always" } },
  });
  cache.mount();
  const use = () => new QueryObserver(cache, viewsQuery(1, { period: "7d" })).subscribe(() => undefined);
  const first = use();
  await vi.advanceTimersByTimeAsync(5_000);
  const second = use();
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await vi.advanceTimersByTimeAsync(50_000);
  expect(asked.length).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked.length).toBe(2);
  first();
  second();
  cache.unmount();
});

test("who has no view yet gets one that somebody shares within a minute", async () => {
  vi.useFakeTimers();
  environmentManager.setIsServer(() => false);
  const views: Partial<View>[] = [];
  vi.spyOn(api, "GET").mockImplementation((async () => ({
    data: { views: [...views] },
    response: new Response(),
  })) as never);
  const cache = new QueryClient({ defaultOptions: { queries: { networkMode: "always" } } });
  cache.mount();
  const end = new QueryObserver(cache, viewsQuery(1, {})).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  expect(cache.getQueryData(viewsQuery(1, {}).queryKey)).toEqual([]);
  views.push({ id: 1, name: "Shared" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(cache.getQueryData(viewsQuery(1, {}).queryKey)).toMatchObject([{ name: "Shared" }]);
  end();
  cache.unmount();
});

test("a view that somebody has deleted meanwhile is told of, and no longer listed", async () => {
  serve();
  const missing = { error: { detail: "This project has no such view" }, response: new Response(null, { status: 404 }) };
  vi.spyOn(api, "PATCH").mockResolvedValue(missing as never);
  vi.spyOn(api, "DELETE").mockResolvedValue(missing as never);
  const view = { id: 1 } as View;
  for (const act of [(c: QueryClient) => changeView(c, 1, view, {}), (c: QueryClient) => deleteView(c, 1, view)]) {
    const cache = cacheOf();
    await cache.prefetchQuery(viewsQuery(1, {}));
    await expect(act(cache)).rejects.toThrow("This view was deleted meanwhile");
    expect(cache.getQueryState(viewsQuery(1, {}).queryKey)?.isInvalidated).toBe(true);
  }
});

test("a changed view is listed again, with and without its count", async () => {
  serve();
  const cache = cacheOf();
  await cache.prefetchQuery(viewsQuery(1, {}));
  await cache.prefetchQuery(viewNamesQuery(1));
  await changeView(cache, 1, { id: 1 } as View, { name: "Later" });
  const isInvalidated = (key: readonly unknown[]) => cache.getQueryState(key)?.isInvalidated;
  expect(isInvalidated(viewsQuery(1, {}).queryKey)).toBe(true);
  expect(isInvalidated(viewNamesQuery(1).queryKey)).toBe(true);
});
