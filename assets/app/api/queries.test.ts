import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { makeCache } from "./cache.ts";
import { api } from "./client.ts";
import { invalidate } from "./invalidation.ts";
import { issueKeys, issuesQuery } from "./queries.ts";

/** Mocks a server that answers every list with a status. */
const serve = (status: number) =>
  vi
    .spyOn(api, "GET")
    .mockResolvedValue({ error: { detail: "is: expected new" }, response: new Response(null, { status }) } as never);

/** How often a list is requested that fails early, is shown, and is outdated by a live message. */
async function requests(status: number): Promise<number> {
  const sent = serve(status);
  const cache = makeCache();
  const list = issuesQuery(1, { query: "is:nonsense" }, 0);
  await cache.prefetchQuery(list);
  const shown = new QueryObserver(cache, list);
  const leave = shown.subscribe(() => undefined);
  await vi.waitFor(() => expect(shown.getCurrentResult()).toMatchObject({ isError: true, fetchStatus: "idle" }));
  await invalidate(cache, { queryKey: issueKeys.lists(1) });
  leave();
  return sent.mock.calls.length;
}

afterEach(() => void vi.restoreAllMocks());

test("a search that was refused is not sent again", async () => {
  expect(await requests(422)).toBe(1);
});

test("a list that failed for another reason is", async () => {
  expect(await requests(403)).toBe(3);
});
