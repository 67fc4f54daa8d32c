import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { noteAsked, refreshOlder } from "./invalidation.ts";

test("only queries fetched before a time are refetched", async () => {
  const cache = new QueryClient();
  noteAsked(cache.getQueryCache());
  const ask = (name: string) => cache.prefetchQuery({ queryKey: ["project", 1, name], queryFn: () => name });
  await ask("early");
  await new Promise((passed) => setTimeout(passed, 5));
  const time = performance.now();
  await ask("late");
  await refreshOlder(cache, ["project", 1], time);
  expect(cache.getQueryState(["project", 1, "early"])?.isInvalidated).toBe(true);
  expect(cache.getQueryState(["project", 1, "late"])?.isInvalidated).toBe(false);
});

test("an answer in flight counts by when it was requested", async () => {
  const cache = new QueryClient();
  noteAsked(cache.getQueryCache());
  let answer = (_: string): void => undefined;
  void cache.prefetchQuery({ queryKey: ["slow"], queryFn: () => new Promise<string>((done) => (answer = done)) });
  await new Promise((passed) => setTimeout(passed, 5));
  const time = performance.now();
  answer("old");
  await new Promise((passed) => setTimeout(passed, 5));
  await refreshOlder(cache, ["slow"], time);
  expect(cache.getQueryState(["slow"])?.isInvalidated).toBe(true);
});

test("up-to-date queries are not refetched", async () => {
  const cache = new QueryClient();
  noteAsked(cache.getQueryCache());
  for (const name of ["list", "other"])
    await cache.prefetchQuery({ queryKey: ["project", 1, name], queryFn: () => name });
  await new Promise((passed) => setTimeout(passed, 5));
  await refreshOlder(cache, ["project", 1], performance.now(), [["project", 1, "list"]]);
  expect(cache.getQueryState(["project", 1, "list"])?.isInvalidated).toBe(false);
  expect(cache.getQueryState(["project", 1, "other"])?.isInvalidated).toBe(true);
});

test("a first answer in flight is refetched when it has arrived", async () => {
  const cache = new QueryClient();
  noteAsked(cache.getQueryCache());
  const answers: ((text: string) => void)[] = [];
  const queryFn = () => new Promise<string>((done) => answers.push(done));
  const observer = new QueryObserver(cache, { queryKey: ["one"], queryFn, staleTime: Number.POSITIVE_INFINITY });
  const leave = observer.subscribe(() => undefined);
  await new Promise((passed) => setTimeout(passed, 5));
  void refreshOlder(cache, ["one"], performance.now());
  void refreshOlder(cache, ["one"], performance.now());
  answers[0]?.("before");
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.("after");
  await expect.poll(() => cache.getQueryData(["one"])).toBe("after");
  expect(answers.length, "asked again once").toBe(2);
  leave();
});
