import { afterEach, expect, test, vi } from "vitest";
import { highlight, most } from "./highlight.ts";
import { languages } from "./language.ts";

afterEach(() => vi.restoreAllMocks());

const source = [
  "export async function total(cart: Cart): Promise<number> {",
  "  const prices = await Promise.all(cart.items.map((item) => priceOf(item.sku)));",
  "  // Rebates come last.",
  '  if (prices.length === 0) throw new RangeError("the cart is empty");',
  "  return prices.reduce((sum, price) => sum + price, 0);",
  "}",
];

/** Simulates a slow machine, on which each reading of the clock is 100 ms after the previous one. */
function slowMachine(): void {
  let now = Date.parse("2026-11-21T10:00:00.000Z");
  vi.spyOn(Date, "now").mockImplementation(() => (now += 100));
}

test("every line is coloured to its end, however slow the machine is", async () => {
  slowMachine();
  const slow = await highlight(source, "tsx");
  vi.restoreAllMocks();
  expect(slow).toEqual(await highlight(source, "tsx"));
  for (const [at, line] of slow.entries()) {
    expect(
      line.reduce((sum, { length }) => sum + length, 0),
      `line ${at}`,
    ).toBe(source[at]?.length);
    if (at !== 2 && at !== 5)
      expect(new Set(line.map(({ kind }) => kind)).size, `kinds in line ${at}`).toBeGreaterThan(2);
  }
});

test("every language is coloured, the first time as the second", async () => {
  for (const language of languages) {
    slowMachine();
    const first = await highlight(['name = "text"', "x = 1"], language);
    vi.restoreAllMocks();
    expect(await highlight(['name = "text"', "x = 1"], language), language).toEqual(first);
  }
});

test("lines and blocks that are too large stay plain", async () => {
  const [line] = await highlight([`const a = "${"x".repeat(most.line)}";`], "tsx");
  expect(line).toHaveLength(1);
  expect(
    await highlight(
      Array.from({ length: most.lines + 1 }, () => "const a = 1;"),
      "tsx",
    ),
  ).toEqual(Array.from({ length: most.lines + 1 }, () => []));
  expect(
    (
      await highlight(
        Array.from({ length: 30 }, () => "const a = 1; ".repeat(60)),
        "tsx",
      )
    ).flat(),
  ).toEqual([]);
});
