import { expect, test, vi } from "vitest";
import { patch } from "./patch.ts";

test("a patched function keeps its name, length, properties, this, arguments, result and errors", () => {
  const target = {
    add: Object.assign(
      function add(this: unknown, a: number, b: number) {
        if (b < 0) throw new RangeError("negative");
        return [this, a + b];
      },
      { version: 3 },
    ),
  };
  const original = target.add;
  const seen = vi.fn();
  const undo = patch(target, "add", (call, args) => {
    seen(args);
    return call();
  });
  expect(target.add).not.toBe(original);
  expect([target.add.name, target.add.length, target.add.version]).toEqual(["add", 2, 3]);
  expect(target.add(1, 2)).toEqual([target, 3]);
  expect(() => target.add(1, -1)).toThrow(RangeError);
  expect(seen).toHaveBeenCalledTimes(2);
  undo();
  expect(target.add).toBe(original);
});

test("an inherited function is inherited again afterwards", () => {
  class Base {
    act() {
      return 1;
    }
  }
  const target = new Base();
  const undo = patch(target, "act", () => 2);
  expect(target.act()).toBe(2);
  undo();
  expect(Object.keys(target)).toEqual([]);
  expect(target.act()).toBe(1);
});

test("a later patch of somebody else stays, and ours only passes calls on", () => {
  const target = { act: () => 1 };
  const undo = patch(target, "act", (call) => (call() as number) + 10);
  const ours = target.act;
  target.act = () => ours() * 2;
  expect(target.act()).toBe(22);
  undo();
  expect(target.act()).toBe(2);
});

test("missing, frozen and throwing functions are left alone", () => {
  const biting = Object.defineProperty({}, "act", {
    get() {
      throw new Error("getter");
    },
  });
  for (const target of [undefined, {}, { act: 7 }, biting, Object.freeze({ act: () => 1 })]) {
    expect(() => patch(target, "act", (call) => call())()).not.toThrow();
  }
});
