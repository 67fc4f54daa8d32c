/** The highest of some counts; 0 for none. */
export const peakOf = (counts: Iterable<number>): number => {
  let peak = 0;
  for (const count of counts) peak = Math.max(peak, count);
  return peak;
};

/**
 * How tall a count's bar is in a chart whose top stands for `top`. The scale is logarithmic: charts that share it can
 * be compared, and one issue with a thousand events an hour leaves one with ten its shape. Something is never drawn
 * as nothing.
 */
export function barHeight(count: number, top: number, height: number): number {
  if (count === 0) return 1;
  return Math.max(2, (Math.log1p(count) / Math.log1p(top)) * height);
}
