/** How long before the error one begins to watch, in seconds. */
const lead = 10;

/** The second of a replay from which to watch an event; undefined for the beginning. Times are epoch milliseconds. */
export function secondsBefore(event: number, start: number): number | undefined {
  const seconds = Math.floor((event - start) / 1_000) - lead;
  return seconds > 0 ? seconds : undefined;
}
