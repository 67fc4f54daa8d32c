import type { ComparedRelease } from "../../api/schema.d.ts";

/** `1,234`, `12.3`, `0.04`: a rate with three digits or less. */
export const rate = (value: number): string =>
  new Intl.NumberFormat("en", { maximumSignificantDigits: value >= 1_000 ? 21 : 3, maximumFractionDigits: 2 }).format(
    value >= 1_000 ? Math.round(value) : value,
  );

/** Whether a release came out too late for any of its events to be within what is compared. */
export const isTooNew = ({ out_at, to }: Pick<ComparedRelease, "out_at" | "to">): boolean =>
  out_at !== null && to !== null && Date.parse(out_at) >= Date.parse(to);

/** The ratio of two rates: `2.5 times`, `−40%`; undefined if it is meaningless. */
export function change(one: number | null, other: number | null): { words: string; isWorse: boolean } | undefined {
  if (one === null || other === null || (one === 0 && other === 0)) return undefined;
  if (other === 0) return { words: "from none", isWorse: true };
  const times = one / other;
  if (times >= 2) return { words: `${rate(times)} times`, isWorse: true };
  const percent = Math.round((times - 1) * 100);
  if (percent === 0) return { words: "about the same", isWorse: false };
  return { words: `${percent > 0 ? "+" : "−"}${Math.abs(percent)}%`, isWorse: percent >= 10 };
}
