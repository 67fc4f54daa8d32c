import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import { api } from "../../api/client.ts";
import type { View } from "../../api/schema.d.ts";
import { done, problem } from "../../ui/notify.ts";
import { removeForAll, removeView, updateView } from "./view-acts.ts";

vi.mock("../../ui/notify.ts", () => ({ done: vi.fn(), problem: vi.fn() }));

const content = {
  name: "Worst",
  query: "level:fatal",
  sort: "events",
  environment: "production",
  period: "7d",
  shared: true,
} as const;
const view: View = { ...content, id: 4, owner: null, created_at: "2026-11-20T08:00:00Z", issue_count: 2 };

const answer = (data?: unknown) => ({ data, response: new Response() }) as never;
const refusal = { error: { detail: "An alert rule uses it" }, response: new Response(null, { status: 409 }) } as never;

beforeEach(() => {
  vi.restoreAllMocks();
  vi.mocked(done).mockClear();
  vi.mocked(problem).mockClear();
});

/** Presses the button of the only message. */
const undo = () => vi.mocked(done).mock.calls[0]?.[1]?.();

test("a deleted view can be saved again as it was", async () => {
  vi.spyOn(api, "DELETE").mockResolvedValue(answer());
  const post = vi.spyOn(api, "POST").mockResolvedValue(answer({}));
  await removeView(new QueryClient(), 1, view);
  expect(vi.mocked(done).mock.calls[0]?.[0]).toBe("View Worst deleted");
  expect(post).not.toHaveBeenCalled();
  undo();
  expect(post.mock.calls[0]?.[1]).toEqual({ params: { path: { project_id: 1 } }, body: content });
});

test("deleting another person's view ends what could be undone before", async () => {
  vi.spyOn(api, "DELETE").mockResolvedValueOnce(answer()).mockResolvedValueOnce(refusal);
  await removeForAll(new QueryClient(), 1, view);
  expect(vi.mocked(done).mock.calls).toEqual([["View Worst deleted", null]]);
  await expect(removeForAll(new QueryClient(), 1, view)).rejects.toThrow("An alert rule uses it");
});

test("a view that is not deleted says why", async () => {
  vi.spyOn(api, "DELETE").mockResolvedValue(refusal);
  await removeView(new QueryClient(), 1, view);
  expect(done).not.toHaveBeenCalled();
  expect(vi.mocked(problem).mock.calls[0]).toMatchObject([
    "View Worst could not be deleted",
    { message: "An alert rule uses it" },
  ]);
});

test("a view takes over all of a search, and can be changed back", async () => {
  const patch = vi.spyOn(api, "PATCH").mockResolvedValue(answer({}));
  await updateView(new QueryClient(), 1, view, { query: "level:error" });
  const params = { path: { project_id: 1, view_id: 4 } };
  const body = { query: "level:error", sort: "last_seen", environment: null, period: null };
  expect(patch.mock.calls[0]?.[1]).toEqual({ params, body });
  expect(vi.mocked(done).mock.calls[0]?.[0]).toBe("View Worst updated");
  undo();
  const { query, sort, environment, period } = content;
  expect(patch.mock.calls[1]?.[1]).toEqual({ params, body: { query, sort, environment, period } });
});

test("a view that the person may not update says so", async () => {
  vi.spyOn(api, "PATCH").mockResolvedValue(refusal);
  await updateView(new QueryClient(), 1, view, { query: "level:error" });
  expect(done).not.toHaveBeenCalled();
  expect(vi.mocked(problem).mock.calls[0]?.[0]).toBe("View Worst could not be updated");
});
