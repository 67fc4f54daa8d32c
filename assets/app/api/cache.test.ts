import { notifyManager, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { makeCache } from "./cache.ts";

/** Lets those who listen be told: that is put off a little. */
const told = () => new Promise((done) => setTimeout(done, 5));

/** A query that is answered by the test, and what is shown of it. */
function asked() {
  const cache = makeCache();
  let settle = (_: Promise<string>): void => undefined;
  const queryFn = () => new Promise<string>((done) => (settle = done));
  const observer = new QueryObserver(cache, { queryKey: ["list"], queryFn, retry: false });
  const shown: string[] = [];
  const show = () => {
    const { data, error, status } = observer.getCurrentResult();
    shown.push(data ?? error?.message ?? status);
  };
  // As React's hooks listen.
  observer.subscribe(notifyManager.batchCalls(show));
  const answer = async (what: Promise<string>) => {
    settle(what);
    await cache
      .getQueryCache()
      .find({ queryKey: ["list"] })
      ?.promise?.catch(() => undefined);
    await told();
  };
  return { cache, observer, queryFn, shown, answer };
}

const failed = (message: string) => ({ status: "error", error: { message }, isFetching: false });

test("a failed query stays failed while it is fetched again, until data come", async () => {
  const { cache, observer, shown, answer } = asked();
  expect(observer.getCurrentResult().status).toBe("pending");
  await answer(Promise.reject(new Error("full")));
  expect(observer.getCurrentResult()).toMatchObject(failed("full"));
  shown.length = 0;

  void cache.invalidateQueries({ queryKey: ["list"] });
  await told();
  expect(observer.getCurrentResult()).toMatchObject({ ...failed("full"), isFetching: true });
  await answer(Promise.reject(new Error("gone")));
  expect(observer.getCurrentResult()).toMatchObject(failed("gone"));

  void observer.refetch();
  await told();
  expect(observer.getCurrentResult()).toMatchObject({ ...failed("gone"), isFetching: true });
  await answer(Promise.resolve("rows"));
  expect(observer.getCurrentResult()).toMatchObject({ status: "success", error: null, data: "rows" });
  expect([...new Set(shown)]).toEqual(["full", "gone", "rows"]);
});

test("a query that is reset begins anew", async () => {
  const { cache, observer, answer } = asked();
  await answer(Promise.reject(new Error("full")));
  void cache.resetQueries({ queryKey: ["list"] });
  expect(observer.getCurrentResult()).toMatchObject({ status: "pending", error: null, isFetching: true });
  await answer(Promise.resolve("rows"));
  expect(observer.getCurrentResult()).toMatchObject({ status: "success", data: "rows" });
});

test("a failure that nobody sees any more is not shown again", async () => {
  const { cache, observer, queryFn, answer } = asked();
  await answer(Promise.reject(new Error("full")));
  observer.destroy();
  const later = new QueryObserver(cache, { queryKey: ["list"], queryFn, retry: false });
  const shown: string[] = [];
  later.subscribe(notifyManager.batchCalls(({ status }) => shown.push(status)));
  await told();
  expect(later.getCurrentResult()).toMatchObject({ status: "pending", error: null, isFetching: true });
  await answer(Promise.resolve("rows"));
  expect([...new Set(shown)]).toEqual(["pending", "success"]);
});
