/**
 * The next notification to open, from the reader's position. If the opened one has left the list, the next one is
 * already in its place.
 */
export function nextToRead(
  order: readonly number[],
  place: number | undefined,
  by: 1 | -1,
  isListed: boolean,
): number | undefined {
  const from = place ?? (by > 0 ? -1 : order.length);
  const to = by > 0 && !isListed ? from : from + by;
  return order[Math.min(Math.max(to, 0), order.length - 1)];
}
