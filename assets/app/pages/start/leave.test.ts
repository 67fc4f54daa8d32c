import { expect, test } from "vitest";
import { mayTurn } from "./leave.ts";

const inside = (name: string | undefined) =>
  ({ closest: (selector: string) => (name && selector.split(", ").includes(name) ? {} : null) }) as unknown as Element;
const calm = { focused: null, visible: true, selecting: false };

test("the page turns for somebody who only waits", () => {
  expect(mayTurn(calm)).toBe(true);
  expect(mayTurn({ ...calm, focused: inside(undefined) })).toBe(true);
});

test("the page stays while somebody types, answers a dialog, selects text or has left it", () => {
  for (const name of ["input", "textarea", "select", '[aria-modal="true"]']) {
    expect(mayTurn({ ...calm, focused: inside(name) }), name).toBe(false);
  }
  expect(mayTurn({ ...calm, visible: false })).toBe(false);
  expect(mayTurn({ ...calm, selecting: true })).toBe(false);
});
