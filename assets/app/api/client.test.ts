import { replaceEqualDeep } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { exactApi, ok } from "./client.ts";
import { ApiError } from "./error.ts";

afterEach(() => vi.unstubAllGlobals());

/** The answer to a request for an event, of which the server sends this. */
function asked(body: string, init?: ResponseInit) {
  vi.stubGlobal("fetch", async () => new Response(body, init));
  const params = { path: { project_id: 1, issue_id: 2 } };
  const baseUrl = "http://here";
  return ok(exactApi.GET("/api/v1/projects/{project_id}/issues/{issue_id}/event", { params, baseUrl }));
}

test("numbers of an answer keep their digits, also when they are copied", async () => {
  const body = '{"event":{"extra":{"id":9007199254740993,"count":7}}}';
  expect(JSON.stringify(await asked(body))).toBe(body);
  expect(JSON.stringify(await asked(body, { headers: { "Content-Length": String(body.length) } }))).toBe(body);
});

test("the same answer again is the same for the page", async () => {
  const body = '{"event":{"extra":{"id":9007199254740993}}}';
  const [first, second] = [await asked(body), await asked(body)];
  expect(replaceEqualDeep(first, second)).toBe(first);
});

test("a refusal says why", async () => {
  const refusal = asked('{"error":"There is no such event."}', { status: 404 });
  await expect(refusal).rejects.toBeInstanceOf(ApiError);
});
