/** The highest of some counts; 0 for none. */
export const peakOf = (counts: Iterable<number>): number => {
  let peak = 0;
  for (const count of counts) peak = Math.max(peak, count);
  return peak;
};

/**
 * The height of a count's bar in a chart whose top is `top`. The scale is logarithmic, so that charts with the same
 * scale can be compared, and an issue with ten events an hour keeps its shape beside one with a thousand. A count
 * above zero always has a visible bar.
 */
export function barHeight(count: number, top: number, height: number): number {
  if (count === 0) return 1;
  return Math.max(2, (Math.log1p(count) / Math.log1p(top)) * height);
}
