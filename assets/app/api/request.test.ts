import { afterEach, expect, test, vi } from "vitest";
import { ApiError, detailOf, post, request } from "./request.ts";
import { getHealth, getMe } from "./server.ts";

afterEach(() => void vi.unstubAllGlobals());

const answer = (status: number, body: string) =>
  vi.stubGlobal("fetch", vi.fn(async () => new Response(body, { status })));

test("a refusal is shown in the server's own words, whichever field holds them", () => {
  expect(detailOf(403, { detail: "Wrong setup token" })).toBe("Wrong setup token");
  expect(detailOf(404, { error: "No such automation", code: "NOT_FOUND" })).toBe("No such automation");
  expect(detailOf(503, { status: "degraded", reason: "disk full" })).toBe("disk full");
});

test("a refusal without words names its status", () => {
  for (const body of [undefined, null, "", 7, [], {}, { detail: "" }, { detail: { field: "x" } }]) {
    expect(detailOf(502, body)).toBe("The server answered with status 502 and no explanation.");
  }
});

test("a post sends JSON and hands back the answer", async () => {
  answer(201, '{"id": 7}');
  expect(await post("/auth/setup", { a: "ä" })).toEqual({ id: 7 });
  expect(fetch).toHaveBeenCalledWith("/auth/setup", expect.objectContaining({ method: "POST", body: '{"a":"ä"}' }));
});

test("an answer that is not a success throws with its status and detail", async () => {
  answer(422, '{"detail": "email: expected an address"}');
  const failure = await request("/auth/setup").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ status: 422, message: "email: expected an address" });
});

test("a page of a proxy in front is no explanation", async () => {
  answer(502, "<html>Bad gateway</html>");
  await expect(request("/meta")).rejects.toThrow("status 502");
});

test("no answer at all says what to look at", async () => {
  vi.stubGlobal("fetch", vi.fn(async () => Promise.reject(new TypeError("Failed to fetch"))));
  await expect(request("/meta")).rejects.toMatchObject({ status: 0, message: expect.stringContaining("cannot be reached") });
});

test("a degraded server is an answer, not a failure", async () => {
  answer(503, '{"status": "degraded", "reason": "the database cannot be written"}');
  expect(await getHealth()).toEqual({ ok: false, reason: "the database cannot be written" });
  answer(200, '{"status": "ok", "version": "0.1.0"}');
  expect(await getHealth()).toEqual({ ok: true, version: "0.1.0" });
});

test("401 from /api/v1/me means that nobody is signed in; anything else is a failure", async () => {
  answer(401, '{"detail": "Not signed in"}');
  expect(await getMe()).toBeUndefined();
  answer(503, '{"detail": "busy"}');
  await expect(getMe()).rejects.toThrow("busy");
});
