/** The highest of some counts; 0 for none. */
export const peakOf = (counts: Iterable<number>): number => {
  let peak = 0;
  for (const count of counts) peak = Math.max(peak, count);
  return peak;
};

/**
 * How tall a count's bar is in a chart whose top stands for `top`. By the square root: charts with one scale can be
 * compared, and one issue with a thousand events an hour does not flatten the shape of one with ten. Something is
 * never drawn as nothing.
 */
export function barHeight(count: number, top: number, height: number): number {
  if (count === 0) return 1;
  return Math.max(2, Math.sqrt(count / top) * height);
}
