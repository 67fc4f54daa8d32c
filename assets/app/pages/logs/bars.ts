// The bars of the histogram: levels stacked, the worst at the zero line, where they can be compared.

import type { Bucket, LogLevel } from "../../api/schema.d.ts";
import { levels } from "./address.ts";
import type { Bounds } from "./range.ts";

export interface Part {
  level: LogLevel;
  count: number;
  /** From the top of the picture, in its units. */
  y: number;
  height: number;
}

/** The minimum height of a bar above zero, in units of the picture. */
const least = 2;

/** One bar of a picture so high, where `most` fills it. */
export function partsOf(bucket: Bucket, most: number, height: number): Part[] {
  const counts = levels.toReversed().map((level) => ({ level, count: bucket.levels[level] ?? 0 }));
  const drawn = counts
    .filter(({ count }) => count > 0)
    .map((part) => ({ ...part, height: Math.max(least, (part.count / most) * height) }));
  const sum = drawn.reduce((total, part) => total + part.height, 0);
  const scale = sum > height ? height / sum : 1;
  let top = height;
  return drawn.map((part) => ({ ...part, height: part.height * scale, y: (top -= part.height * scale) }));
}

/** Entries of each level in all bars. */
export function levelCounts(buckets: readonly Bucket[]): Map<LogLevel, number> {
  const sum = (level: LogLevel) => buckets.reduce((total, bucket) => total + (bucket.levels[level] ?? 0), 0);
  return new Map(levels.map((level) => [level, sum(level)]));
}

/** The times of a selection of bars, in either order, clipped to the requested range. */
export function timesOf(
  buckets: readonly Bucket[],
  interval: number,
  bounds: Bounds,
  from: number,
  to: number,
): Bounds | undefined {
  const [first, last] = [buckets[Math.min(from, to)], buckets[Math.max(from, to)]];
  if (!first || !last) return undefined;
  return {
    start: Math.max(bounds.start, Date.parse(first.time)),
    end: Math.min(bounds.end, Date.parse(last.time) + interval * 1000 - 1),
  };
}

/** `12 error, 3 info`, the worst first. */
export const levelWords = (bucket: Bucket): string =>
  levels
    .toReversed()
    .filter((level) => (bucket.levels[level] ?? 0) > 0)
    .map((level) => `${(bucket.levels[level] ?? 0).toLocaleString("en")} ${level}`)
    .join(", ");
