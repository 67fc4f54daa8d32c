import { afterEach, expect, test } from "vitest";
import { earlyAnswer, forgetEarly } from "./early.ts";

const list = "/api/v1/projects/1/issues";
const answer = Promise.resolve(new Response("[]"));
const asked = (address: string, method = "GET") => earlyAnswer(new Request(`http://here${address}`, { method }));

afterEach(forgetEarly);

function sent(...addresses: string[]): void {
  globalThis.early = { list: undefined, answers: new Map(addresses.map((address) => [address, answer])) };
}

test("an early answer goes to the first identical request", () => {
  sent(`${list}?query=is%3Aunresolved&limit=50`, list);
  expect(asked(`${list}?query=is:unresolved&limit=50`)).toBe(answer);
  expect(asked(`${list}?query=is:unresolved&limit=50`)).toBeUndefined();
  expect(asked(list)).toBe(answer);
});

test("other requests are sent normally", () => {
  expect(asked(list)).toBeUndefined();
  sent(`${list}?limit=50`, list);
  expect(asked(`${list}?limit=1`)).toBeUndefined();
  expect(asked(list, "POST")).toBeUndefined();
  expect(asked(list)).toBe(answer);
});

test("forgotten requests are sent again", () => {
  sent(list);
  forgetEarly();
  expect(asked(list)).toBeUndefined();
});
