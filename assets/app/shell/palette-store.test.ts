import { expect, test } from "vitest";
import { isPaletteOpen, keepTyped, openPalette, paletteStore } from "./palette-store.ts";

function type(key: string, inside = false) {
  let isPrevented = false;
  const target = { closest: () => (inside ? {} : null) } as unknown as EventTarget;
  const isTaken = keepTyped({
    key,
    target,
    preventDefault: () => {
      isPrevented = true;
    },
  });
  return { isTaken, isPrevented };
}

test("what is typed before the palette's field is there is kept for it", () => {
  expect(type("e")).toEqual({ isTaken: false, isPrevented: false });
  openPalette();
  for (const key of "settings") expect(type(key)).toEqual({ isTaken: true, isPrevented: true });
  expect(type("Enter")).toEqual({ isTaken: true, isPrevented: true });
  expect(type("F5")).toEqual({ isTaken: true, isPrevented: false });
  expect(type("e", true).isTaken).toBe(false);
  expect(paletteStore.getState().query).toBe("settings");
  type("Escape");
  expect(isPaletteOpen()).toBe(false);
});
