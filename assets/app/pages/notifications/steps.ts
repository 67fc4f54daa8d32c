/**
 * The next to read, from the place in the list where the reader is. Where the one that was read has left the list, the one
 * after it stands in its place already.
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
